import { lastAnswer } from '../text/lastAnswer';
import { type JsonNode, member, readJson } from './jsonDocument';
import { startsAsJson } from './startsAsJson';

/** Enough to see how the first entry of a tape is laid out. */
const LOOKED_AT = 64 * 1024;
const DEEPEST = 6;
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
export const jsonOutline = lastAnswer((text): JsonOutline => {
  if (!startsAsJson(text)) return NOTHING;
  const { value, problems } = readJson(text);
  // After a value may come another: a text of JSON lines.
  const isWhole = value !== undefined && (problems[0]?.span.start ?? value.end) >= value.end && isClosed(text, value);
  return isWhole ? new NodeOutline(value, problems.length === 0) : new BrokenOutline(outlineOf(text));
});

const NOTHING: JsonOutline = { has: () => false, isWhole: false, isOnly: false };

/** A list or object of a broken text may end without its bracket. */
function isClosed(text: string, { end }: JsonNode): boolean {
  return text[end - 1] === '}' || text[end - 1] === ']';
}

/** How many items of a list are looked at: they are much alike. */
const ITEMS = 8;

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
  return at + 1 === steps.length || node.items.slice(0, ITEMS).some((item) => hasPath(item, steps, at + 1));
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

function outlineOf(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const levels: Level[] = [];
  for (const [token, quote] of text.slice(0, LOOKED_AT).matchAll(TOKEN)) {
    if (quote === '') break;
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
