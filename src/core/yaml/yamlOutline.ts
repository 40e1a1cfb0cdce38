import { memoiseLast } from '../text/memo';
import type { TextParts } from '../text/textParts';

const LINE = /^( *)((?:- +)*)(-$)?(?:("[^"\n]*"|'[^'\n]*'|[^\s#&*!|>'"%@`{[\]},?:-][^\s:]*)[ \t]*:(?:[ \t]+(.*))?$)?/;
/** A line with only a tag or anchor; its value is on the lines below. */
const NO_VALUE = /^(?:[!&]\S*(?:[ \t]+|$))*(?:#.*)?$/;
/** A comment, the start or the end of a document. */
const NO_CONTENT = /^(?:#|---(?: |$)|\.\.\.|%)/;

interface Level {
  readonly path: string;
  /** The column of the key; half a column more for an item, whose dash may have the column of its list's key. */
  readonly indent: number;
}

/**
 * The paths of a YAML text in block style, such as `interactions[].request.uri`, judged by indentation alone. For
 * detecting formats without parsing the file; a text that is not YAML has no paths, or odd ones.
 */
export const yamlOutline = memoiseLast((text) => new YamlOutline(text));

/** Reads lines until a path is found that is asked for. */
class YamlOutline {
  readonly #text: string;
  readonly #paths = new Set<string>();
  readonly #levels: Level[] = [];
  #start = 0;
  /** Lines with more indentation belong to a scalar. */
  #scalar = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#text = text;
  }

  has(path: string): boolean {
    if (this.#paths.has(path)) return true;
    // A key that does not occur at all is not looked for line by line.
    if (!this.#text.includes(/([^.[\]]*)(?:\[\])*$/.exec(path)?.[1] ?? '')) return false;
    while (!this.#paths.has(path)) {
      if (this.#start >= this.#text.length) return false;
      this.#readLine();
    }
    return true;
  }

  #readLine(): void {
    const text = this.#text;
    const start = this.#start;
    const end = lineEnd(text, start);
    const indent = indentAt(text, start);
    this.#start = end + 1;
    const isBlank = start + indent >= end || text[start + indent] === '\r';
    if (isBlank || indent > this.#scalar) return;
    const line = text.slice(start, Math.min(end, start + indent + 256)).replace(/\r$/, '');
    if (!NO_CONTENT.test(line)) this.#scalar = readLine(line, this.#levels, this.#paths);
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function indentAt(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x20) at += 1;
  return at - start;
}

/** Adds the keys of a line, and returns the greatest indentation of a line that is not part of its value. */
function readLine(line: string, levels: Level[], paths: Set<string>): number {
  const [, spaces = '', dashes = '', lastDash = '', quotedKey, value = ''] = LINE.exec(line) ?? [];
  let indent = spaces.length;
  for (const { length } of `${dashes}${lastDash}`.match(/- */g) ?? []) {
    openLevel(levels, paths, indent + 0.5, '[]');
    indent += length;
  }
  if (quotedKey === undefined) return lastDash === '' ? spaces.length : Number.POSITIVE_INFINITY;
  const key = quotedKey.replace(/^(["'])(.*)\1$/, '$2');
  openLevel(levels, paths, indent, key);
  return NO_VALUE.test(value) ? Number.POSITIVE_INFINITY : indent;
}

function openLevel(levels: Level[], paths: Set<string>, indent: number, name: string): void {
  while ((levels.at(-1)?.indent ?? -1) >= indent) levels.pop();
  const parent = levels.at(-1)?.path ?? '';
  const path = name === '[]' || parent === '' ? parent + name : `${parent}.${name}`;
  paths.add(path);
  levels.push({ path, indent });
}

const PROLOGUE_LENGTH = 4096;
/** Each repetition consumes a whole line, so that matching takes linear time. A document may begin on the line of its marker. */
const PROLOGUE = /^(?:[^\S\n]*(?:---(?![^\S\n]+[{[])[^\n]*|[#%][^\n]*)?\n)*(?:---)?[^\S\n]*/;

/** The beginning of a text after blank lines, comments, directives and document markers. */
export function skipPrologue(text: TextParts): string {
  const head = text.slice(0, PROLOGUE_LENGTH);
  return head.slice(PROLOGUE.exec(head)?.[0].length ?? 0);
}

/** Flow style, which begins with a bracket, or canonical style, in which each value has a tag, and each key a question mark. */
const OTHER_STYLE = /^(?:!\S*\s+)*(?:\?\s|\{\s*(?:\?\s|["']?[\w.-]+["']?\s*:\s)|\[\s*(?:\{|!))/;

/** Whether a YAML text is not in block style, as far as its beginning tells. */
export function isInOtherStyle(text: TextParts): boolean {
  return OTHER_STYLE.test(skipPrologue(text));
}

const FLOW_MAP = /^[^\S\n]*(?:- +)*(?:[\w.-]+:[^\S\n]+)?\{[^\S\n]*["']?[\w.-]+["']?[^\S\n]*:[^\S\n]/m;

/** Whether a text in block style has maps in flow style, as far as its beginning tells. */
export function hasFlowMap(text: TextParts): boolean {
  return FLOW_MAP.test(text.slice(0, PROLOGUE_LENGTH));
}

const FIRST_KEY = /^(?:\{\s*)?(["']?)([\w.-]+)\1\s*:/;

/** The path of the first member of a YAML text, such as `version`, or `[].request` where the text is a list. */
export function firstPath(text: TextParts): string | undefined {
  const [, dash = '', rest = ''] = /^(- +)?([^\n]*)/.exec(skipPrologue(text)) ?? [];
  const key = FIRST_KEY.exec(rest)?.[2];
  return key === undefined ? undefined : `${dash === '' ? '' : '[].'}${key}`;
}
