import { memoiseLast } from '../text/memo';
import type { JsonNode } from './jsonNode';
import { member, readJson } from './readJson';

/** Does the text begin as a JSON object or list does? */
export function looksLikeJson(text: string): boolean {
  for (let at = 0; ; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) return true;
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09 && char !== 0xfeff) return false;
  }
}

/** Enough to see how the first entry of a tape is laid out. */
const PREFIX_LENGTH = 64 * 1024;
const MAX_DEPTH = 6;
/** A string may be cut off: to look for another inside of it again and again takes time that grows with its square. */
const TOKEN = /"(?:[^"\\]|\\.)*("?)|[{}[\],]/gs;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  isAtKey: boolean;
  key: string;
}

/** The paths at which a JSON text has members and lists, such as `log.entries`, `log.entries[]` and `log.entries[].request`. */
export interface JsonOutline {
  has(path: string): boolean;
  /** The text is in order: a path that it does not have is nowhere. */
  readonly isWhole: boolean;
  /** The text is one value, and no more. */
  readonly isOnly: boolean;
}

/**
 * The outline of a JSON text, or of its first line. It tells formats apart, which then find the text read already. Of a
 * text that is broken, it is what the beginning looks like; a text that is no JSON has no paths, or few.
 */
export const jsonOutline = memoiseLast((text): JsonOutline => {
  if (!looksLikeJson(text)) return EMPTY_OUTLINE;
  const { value, problems } = readJson(text);
  // After a value may come another: a text of JSON lines.
  const isWhole = value !== undefined && (problems[0]?.span.start ?? value.end) >= value.end && isClosed(text, value);
  return isWhole ? new NodeOutline(value, problems.length === 0) : new BrokenOutline(outlineOfPrefix(text));
});

const EMPTY_OUTLINE: JsonOutline = { has: () => false, isWhole: false, isOnly: false };

/** A list or object of a broken text may end without its bracket. */
function isClosed(text: string, { end }: JsonNode): boolean {
  return text[end - 1] === '}' || text[end - 1] === ']';
}

/** How many items of a list are looked at: they are much alike. */
const SAMPLED_ITEMS = 8;

class BrokenOutline implements JsonOutline {
  readonly isWhole = false;
  readonly isOnly = false;

  constructor(readonly paths: ReadonlySet<string>) {}

  has(path: string): boolean {
    return this.paths.has(path);
  }
}

class NodeOutline implements JsonOutline {
  readonly isWhole = true;
  readonly #root: JsonNode;
  readonly #names: ReadonlySet<string>;

  constructor(
    root: JsonNode,
    readonly isOnly: boolean,
  ) {
    this.#root = root;
    this.#names = new Set(root.type === 'object' ? root.members.map(({ key }) => key) : []);
  }

  has(path: string): boolean {
    if (this.#names.has(path)) return true;
    const steps = stepsOf(path);
    const [first = ''] = steps;
    if (first !== '[]' && (steps.length === 1 || !this.#names.has(first))) return false;
    return hasPath(this.#root, steps, 0);
  }
}

function hasPath(node: JsonNode, steps: readonly string[], at: number): boolean {
  const step = steps[at];
  if (step === undefined) return true;
  if (step !== '[]') {
    const found = member(node, step);
    return found !== undefined && hasPath(found, steps, at + 1);
  }
  if (node.type !== 'array') return false;
  return at + 1 === steps.length || node.items.slice(0, SAMPLED_ITEMS).some((item) => hasPath(item, steps, at + 1));
}

/** The paths that formats ask for are few, and always the same. */
const split = new Map<string, readonly string[]>();

function stepsOf(path: string): readonly string[] {
  const known = split.get(path);
  if (known !== undefined) return known;
  const steps = path.split('.').flatMap((name) => {
    const lists = name.match(/\[\]/g) ?? [];
    const key = name.slice(0, name.length - 2 * lists.length);
    return key === '' ? lists : [key, ...lists];
  });
  split.set(path, steps);
  return steps;
}

function outlineOfPrefix(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const levels: Level[] = [];
  for (const [token, quote] of text.slice(0, PREFIX_LENGTH).matchAll(TOKEN)) {
    if (quote === '') break;
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      const opened = openLevel(level, token);
      levels.push(opened);
      if (opened.isList && levels.length < MAX_DEPTH) paths.add(opened.path);
    } else if (token === '}' || token === ']') {
      levels.pop();
      if (levels.length === 0) break;
    } else if (level === undefined || level.isList) continue;
    else if (token === ',') level.isAtKey = true;
    else if (level.isAtKey) {
      level.isAtKey = false;
      level.key = token.slice(1, -1);
      if (levels.length < MAX_DEPTH) paths.add(joinPath(level.path, level.key));
    }
  }
  return paths;
}

function openLevel(parent: Level | undefined, bracket: string): Level {
  const path = parent === undefined ? '' : parent.isList ? parent.path : joinPath(parent.path, parent.key);
  const isList = bracket === '[';
  return { path: isList ? `${path}[]` : path, isList, isAtKey: true, key: '' };
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

const BACKSLASH = 0x5c;

/** Does a JSON text look like an object that has all these members? Of a broken text, a scan tells. */
export function hasTopLevelKeys(text: string, ...wanted: readonly string[]): boolean {
  const outline = jsonOutline(text);
  if (wanted.every((key) => outline.has(key))) return true;
  if (outline.isWhole) return false;
  if (!wanted.every((key) => text.includes(`"${key}"`))) return false;
  const missing = new Set(wanted);
  for (const key of topLevelKeys(text)) {
    missing.delete(key);
    if (missing.size === 0) return true;
  }
  return false;
}

/** The names of the members of a JSON object as they are written, without parsing what is in them. */
export function* topLevelKeys(text: string): Generator<string> {
  let at = text.search(/[^\s\uFEFF]/);
  if (text[at] !== '{') return;
  let depth = 0;
  let isKey = false;
  for (; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      depth += 1;
      isKey = depth === 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return;
    } else if (char === ',') isKey = depth === 1;
    else if (char === '"') {
      const end = endOfString(text, at + 1);
      if (isKey) yield text.slice(at + 1, end);
      isKey = false;
      at = end;
    }
  }
}

/** The place of the quote that closes a string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
