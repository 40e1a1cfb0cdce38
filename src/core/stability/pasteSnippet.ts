import { applySplices } from '../text/splice';
import { removeTomlKey, setTomlKey } from '../toml/editToml';
import type { Snippet } from './stabilityReport';

/** The text of a TOML file, which must parse, with a snippet in its place. */
export function pasteSnippet(text: string, { how, table, toml }: Snippet): string {
  if (how === 'below')
    return toml
      .trimEnd()
      .split('\n')
      .reduce((now, line) => withKey(now, table, line), text);
  const rest = how === 'replace' ? applySplices(text, removeTomlKey(text, [table])) : text;
  return `${rest.trimEnd()}${rest.trim() === '' ? '' : '\n\n'}${toml}`;
}

/** A line of a snippet is a key with its value. */
function withKey(text: string, table: string, line: string): string {
  const at = line.indexOf(' = ');
  return applySplices(text, [setTomlKey(text, table.split('.'), line.slice(0, at), line.slice(at + 3))]);
}
