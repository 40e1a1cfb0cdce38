import { join } from 'node:path';
import { type Translation, useTranslation } from '../core/text/l10n';
import { readTextIfThere } from './files/readFile';

/** From `dist/chunks`, and from the source. */
const FOLDER = join(__dirname, '..', '..', 'l10n');
const LIMIT = 4_000_000;

/**
 * Has this process speak `wanted`, as VS Code names languages or as a locale (`zh_CN.UTF-8`), if it is translated. JSON,
 * JUnit, and what is written into files stay English.
 */
export async function speak(wanted: string): Promise<void> {
  const language = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*/i.exec(wanted)?.[0].toLowerCase().replaceAll('_', '-');
  if (language === undefined || language === 'en') return;
  const name = /^zh(?:-hans)?$/.test(language) ? 'zh-cn' : language;
  const text = await readTextIfThere(join(FOLDER, `bundle.l10n.${name}.json`), LIMIT);
  if (text !== undefined) useTranslation({ language: name, messages: JSON.parse(text) as Translation['messages'] });
}
