import type { CST } from 'yaml';
import type { Problem } from '../text/source';

/** No tape nests deeper. What `yaml` does with a deeper one ends the process: a regular expression without stack. */
export const MAX_DEPTH = 250;

/** The problem of a text whose values are nested too deeply to be read. */
export function tooDeep(tokens: readonly CST.Token[]): Problem | undefined {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH && first !== undefined) return tooDeepAt(first.offset);
    level = level.flatMap(children);
  }
  return undefined;
}

export function tooDeepAt(offset: number): Problem {
  const message = `the YAML is nested deeper than ${MAX_DEPTH} levels`;
  const fix = 'Such a file is no tape; look at it in the text editor.';
  return { severity: 'error', message, fix, span: { start: offset, end: offset } };
}

function children(token: CST.Token): CST.Token[] {
  const found: CST.Token[] = [];
  if (token.type === 'document' && token.value) found.push(token.value);
  if ('items' in token) {
    for (const item of token.items) {
      if ('key' in item && isCollection(item.key)) found.push(item.key);
      if (isCollection(item.value)) found.push(item.value);
    }
  }
  return found;
}

function isCollection(token: CST.Token | null | undefined): token is CST.Token {
  return token !== null && token !== undefined && 'items' in token;
}
