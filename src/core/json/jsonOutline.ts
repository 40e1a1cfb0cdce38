import { memoiseLast } from '../text/memo';
import type { TextParts } from '../text/textParts';
import type { JsonNode } from './jsonNode';
import { member, readJson } from './readJson';

/** Whether a text begins like a JSON object or list, in which a name is quoted: without quotes, it is YAML in flow style. */
export function looksLikeJson(text: TextParts): boolean {
  let isInObject: boolean | undefined;
  for (let at = 0; ; at += 1) {
    const char = text.charCodeAt(at);
    if (isInObject === true) {
      if (!isSpace(char)) return !isOfName(char);
    } else if (char === OPEN_OBJECT || char === OPEN_LIST) isInObject = char === OPEN_OBJECT;
    else if (!isSpace(char)) return isInObject !== undefined;
  }
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09 || char === 0xfeff;
}

/** A letter, which no value begins with in an object, or the question mark before a key of YAML. */
function isOfName(char: number): boolean {
  return (char >= 0x61 && char <= 0x7a) || (char >= 0x41 && char <= 0x5a) || char === 0x3f;
}

/** Enough to include the first entry of a tape. */
const PREFIX_LENGTH = 64 * 1024;
const MAX_DEPTH = 6;
/** A truncated string is matched too: searching for another one inside it, repeatedly, would take quadratic time. */
const TOKEN = /"(?:[^"\\]|\\.)*("?)|[{}[\],]/gs;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  isAtKey: boolean;
  key: string;
}

/**
 * The paths of members and lists in a JSON text, such as `log.entries`, `log.entries[]` and `log.entries[].request`.
 */
export interface JsonOutline {
  has(path: string): boolean;
  /** The text is valid, so that the outline is complete. */
  readonly isWhole: boolean;
  /** The text is a single value. */
  readonly isOnly: boolean;
}

/**
 * The outline of a JSON text, or of its first line, for detecting formats, which then find the text already parsed. For
 * a broken text it covers the beginning; a text that is not JSON has no paths, or few.
 */
export const jsonOutline = memoiseLast((text: TextParts): JsonOutline => {
  if (!looksLikeJson(text)) return EMPTY_OUTLINE;
  const { value, problems } = readJson(text);
  // Another value may follow, in JSON Lines.
  const isWhole = value !== undefined && (problems[0]?.span.start ?? value.end) >= value.end && isClosed(text, value);
  return isWhole ? new NodeOutline(value, problems.length === 0) : beginningOutline(text);
});

/** The outline of the beginning of a JSON text, which is not parsed: it may be a part of it, or broken. */
export function beginningOutline(text: TextParts): JsonOutline {
  return new BrokenOutline(outlineOfPrefix(text));
}

/** The outline of what was read of a text. */
export function nodeOutline(node: JsonNode): JsonOutline {
  return new NodeOutline(node, true);
}

const EMPTY_OUTLINE: JsonOutline = { has: () => false, isWhole: false, isOnly: false };

/** In a broken text, a list or object may end without its bracket. */
function isClosed(text: TextParts, { end }: JsonNode): boolean {
  const last = text.slice(end - 1, end);
  return last === '}' || last === ']';
}

/** The number of list items that are examined, because items resemble each other. */
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
    const value = member(node, step);
    return value !== undefined && hasPath(value, steps, at + 1);
  }
  if (node.type !== 'array') return false;
  return at + 1 === steps.length || node.items.slice(0, SAMPLED_ITEMS).some((item) => hasPath(item, steps, at + 1));
}

/** Caches split paths: formats test a few, always the same ones. */
const splitPaths = new Map<string, readonly string[]>();

function stepsOf(path: string): readonly string[] {
  const cached = splitPaths.get(path);
  if (cached !== undefined) return cached;
  const steps = path.split('.').flatMap((name) => {
    const lists = name.match(/\[\]/g) ?? [];
    const key = name.slice(0, name.length - 2 * lists.length);
    return key === '' ? lists : [key, ...lists];
  });
  splitPaths.set(path, steps);
  return steps;
}

function outlineOfPrefix(text: TextParts): ReadonlySet<string> {
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

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether a JSON text is an object with all these members. A broken text is scanned. */
export function hasTopLevelKeys(text: TextParts, ...keys: readonly string[]): boolean {
  const outline = jsonOutline(text);
  if (keys.every((key) => outline.has(key))) return true;
  if (outline.isWhole) return false;
  if (!keys.every((key) => text.includes(`"${key}"`))) return false;
  const missing = new Set(keys);
  for (const key of topLevelKeys(text)) {
    missing.delete(key);
    if (missing.size === 0) return true;
  }
  return false;
}

/** The raw member names of a JSON object, without parsing the values. */
export function* topLevelKeys(text: TextParts, from = 0): Generator<string> {
  let at = afterSpace(text, from);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return;
  let depth = 0;
  let isKey = false;
  for (; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === OPEN_OBJECT || char === OPEN_LIST) {
      depth += 1;
      isKey = depth === 1;
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return;
    } else if (char === COMMA) isKey = depth === 1;
    else if (char === QUOTE) {
      const end = endOfString(text, at + 1);
      if (isKey) yield text.slice(at + 1, end);
      isKey = false;
      at = end;
    }
  }
}

function afterSpace(text: TextParts, from: number): number {
  let at = from;
  while (/\s/.test(text.slice(at, at + 1))) at += 1;
  return at;
}

/** The offset of the quote that closes a string; the end of the text if none does. */
function endOfString(text: TextParts, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
