import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { ENGLISH, type Translation, useTranslationOf } from '../core/text/l10n';
import { readTextIfThere } from './files/readFile';

/** From `dist/chunks`, and from the source. */
const FOLDER = join(__dirname, '..', '..', 'l10n');
const LIMIT = 4_000_000;

const isEnglish = new AsyncLocalStorage<boolean>();

/**
 * Has this process speak `wanted`, as VS Code names languages or as a locale (`zh_CN.UTF-8`), if it is translated. JSON,
 * JUnit, and what is written into files stay English.
 */
export async function speak(wanted: string): Promise<void> {
  const language = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*/i.exec(wanted)?.[0].toLowerCase().replaceAll('_', '-');
  if (language === undefined || language === 'en') return;
  const name = /^zh(?:-hans)?$/.test(language) ? 'zh-cn' : language;
  const text = await readTextIfThere(join(FOLDER, `bundle.l10n.${name}.json`), LIMIT);
  if (text === undefined) return;
  const translation = { language: name, messages: JSON.parse(text) as Translation['messages'] };
  useTranslationOf(() => (isEnglish.getStore() === true ? ENGLISH : translation));
}

/** Work whose texts are stored in files, or read by an agent. `translated` shows them in the language of the user. */
export function inEnglish<T>(work: () => T): T {
  return isEnglish.run(true, work);
}

/** Shows the user a text during such work. */
export function inTheirLanguage<T>(tell: () => T): T {
  return isEnglish.run(false, tell);
}
