import { dirname, join, normalize } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { compilePattern } from '../../core/text/compilePattern';
import { message, t } from '../../core/text/l10n';
import { pathExists } from '../files/fileStatus';
import { readTextSync } from '../files/readFile';
import { preloadFile } from '../network/preloadFile';
import { type Check, messageOf } from './check';

/** The entry files of processes and threads, beside the folder of this code. */
const ENTRIES = ['engine.js', 'readerThread.js'];
const LOADED = /\brequire\("(\.{1,2}\/[^"]+)"\)/g;

/** Checks that every module that is loaded on demand exists. */
export function ownFiles(): Check {
  const name = message('installation');
  try {
    const preloaded = (['node.cjs', 'python', 'relay.cjs'] as const).map(preloadFile);
    const missing = [...preloaded, ...modules(join(__dirname, '..'))].find((path) => !pathExists(path));
    if (missing !== undefined) throw new Error(t('{0} is missing', missing));
    const pattern = compilePattern('^[0-9]+$', 'javascript');
    if (!('test' in pattern) || !pattern.test('42')) throw new Error(t('patterns are not matched'));
    return { name, state: 'ok', says: t('all files present') };
  } catch (error) {
    return { name, state: 'broken', says: messageOf(error), fix: t('Install Tapedeck again.') };
  }
}

/** The built modules that the entries load, directly or indirectly; none when running from the source. */
function modules(built: string): readonly string[] {
  if (!pathExists(join(built, 'engine.js'))) return [];
  const found = new Set(ENTRIES.map((entry) => join(built, entry)));
  for (const path of found) {
    if (!path.endsWith('.js') || !pathExists(path)) continue;
    for (const [, name = ''] of readTextSync(path, FILE_LIMITS.tape).matchAll(LOADED))
      found.add(normalize(join(dirname(path), name)));
  }
  return [...found];
}
