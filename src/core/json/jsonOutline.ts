import { lastAnswer } from '../text/lastAnswer';

/** Enough to see how the first entry of a tape is laid out. */
const LOOKED_AT = 64 * 1024;
const DEEPEST = 6;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  isAtKey: boolean;
  key: string;
}

/**
 * The paths at which the beginning of a JSON text has members and lists, such as `log.entries`, `log.entries[]` and
 * `log.entries[].request`. It tells formats apart without reading the file; a text that is no JSON has none, or few.
 */
export const jsonOutline = lastAnswer(outlineOf);

function outlineOf(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const levels: Level[] = [];
  if (!/^\uFEFF?\s*[{[]/.test(text.slice(0, 256))) return paths;
  for (const [token] of text.slice(0, LOOKED_AT).matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      const opened = open(level, token);
      levels.push(opened);
      if (opened.isList && levels.length < DEEPEST) paths.add(opened.path);
    } else if (token === '}' || token === ']') {
      levels.pop();
      if (levels.length === 0) break;
    } else if (level === undefined || level.isList) continue;
    else if (token === ',') level.isAtKey = true;
    else if (level.isAtKey) {
      level.isAtKey = false;
      level.key = token.slice(1, -1);
      if (levels.length < DEEPEST) paths.add(join(level.path, level.key));
    }
  }
  return paths;
}

function open(parent: Level | undefined, bracket: string): Level {
  const path = parent === undefined ? '' : parent.isList ? parent.path : join(parent.path, parent.key);
  const isList = bracket === '[';
  return { path: isList ? `${path}[]` : path, isList, isAtKey: true, key: '' };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
