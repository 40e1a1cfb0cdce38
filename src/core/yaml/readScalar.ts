import { CST } from 'yaml';
import type { JsonNode, JsonStringNode } from '../json/jsonNode';
import { lazy } from '../text/memo';

/** A string node that is decoded on first use. */
class LazyString implements JsonStringNode {
  readonly type = 'string';
  readonly #decode: () => string;

  constructor(
    readonly start: number,
    readonly end: number,
    decode: () => string,
  ) {
    this.#decode = lazy(decode);
  }

  get value(): string {
    return this.#decode();
  }
}

/** Decodes a plain scalar of several lines. */
export function readFoldedScalar(source: string): string {
  return resolveScalar({ type: 'scalar', offset: 0, indent: 0, source });
}

/** Reads a quoted scalar whose further lines have at least this indentation; undefined if it is invalid. */
export function readQuotedScalar(text: string, at: number, indent: number): JsonNode | undefined {
  const quote = text[at] === '"' ? '"' : "'";
  const end = quote === '"' ? afterDouble(text, at + 1) : afterSingle(text, at + 1);
  if (end === -1 || !isIndented(text, at, end, indent)) return undefined;
  const source = text.slice(at, end);
  const isFolded = source.includes('\n');
  const inner = source.slice(1, -1);
  if (!isFolded && quote === "'") return new LazyString(at, end, () => inner.replaceAll("''", "'"));
  if (!isFolded && !inner.includes('\\')) return { type: 'string', value: inner, start: at, end };
  const type = quote === '"' ? 'double-quoted-scalar' : 'single-quoted-scalar';
  return new LazyString(
    at,
    end,
    () =>
      (isFolded || quote === "'" ? undefined : parseAsJsonString(source)) ??
      resolveScalar({ type, offset: 0, indent: 0, source }),
  );
}

/** Decodes a string whose escapes are all JSON's, which mean the same in YAML; `JSON.parse` is the fastest way. */
function parseAsJsonString(source: string): string | undefined {
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}

const ESCAPE = /\\(?:[0abtnvfre "/\\N_LP\t\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})/y;

function afterDouble(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  let backslash = text.indexOf('\\', start);
  while (quote !== -1) {
    if (backslash === -1 || backslash > quote) return quote + 1;
    ESCAPE.lastIndex = backslash;
    if (!ESCAPE.test(text)) return -1;
    const next = ESCAPE.lastIndex;
    if (quote < next) quote = text.indexOf('"', next);
    backslash = text.indexOf('\\', next);
  }
  return -1;
}

function afterSingle(text: string, start: number): number {
  let quote = text.indexOf("'", start);
  while (quote !== -1 && text[quote + 1] === "'") quote = text.indexOf("'", quote + 2);
  return quote + 1 || -1;
}

/** Whether every line except the first is blank or has at least this indentation. */
function isIndented(text: string, start: number, end: number, indent: number): boolean {
  for (let line = text.indexOf('\n', start); line !== -1 && line < end; line = text.indexOf('\n', line + 1)) {
    let at = line + 1;
    while (text[at] === ' ') at += 1;
    if (text[at] !== '\n' && (at - line - 1 < indent || text[at] === '\t')) return false;
  }
  return true;
}

const HEADER = /[|>]([-+]?) *\n/y;

/** Reads a block scalar with at least this indentation; undefined if it is empty or has an indentation indicator. */
export function readBlockScalar(text: string, at: number, indent: number): JsonNode | undefined {
  HEADER.lastIndex = at;
  const [header, chomping = ''] = HEADER.exec(text) ?? [];
  if (header === undefined) return undefined;
  const start = at + header.length;
  const first = firstLine(text, start);
  const columns = first.at - first.line;
  if (columns < indent || first.at >= text.length) return undefined;
  const end = blockEnd(text, start, first.line, columns, chomping === '+');
  const source = text.slice(start, end);
  if (end === -1 || hasOddBlanks(source, columns)) return undefined;
  const isLiteral = header.startsWith('|');
  const decode = (): string =>
    isLiteral && columns === first.at - start
      ? literalText(source, columns, chomping)
      : resolveScalar({
          type: 'block-scalar',
          offset: 0,
          indent: indent - 1,
          props: [
            { type: 'block-scalar-header', offset: 0, indent: 0, source: header.trimEnd() },
            { type: 'newline', offset: 0, indent: 0, source: '\n' },
          ],
          source,
        });
  return new LazyString(at, end, decode);
}

/** The first line that is not blank. */
function firstLine(text: string, start: number): { readonly line: number; readonly at: number } {
  let line = start;
  let at = start;
  for (; text[at] === ' ' || text[at] === '\n'; at += 1) if (text[at] === '\n') line = at + 1;
  return { line, at };
}

/** The offset after the last line with this indentation, and after the blank lines that follow if they are kept. */
function blockEnd(text: string, start: number, first: number, columns: number, keep: boolean): number {
  let end = start;
  let lastBlank = false;
  for (let line = first; line < text.length; ) {
    let at = line;
    while (text[at] === ' ' && at - line < columns) at += 1;
    const isBlank = text[at] === '\n';
    if (!isBlank && at - line < columns) {
      // Less indentation ends the block. A tab, or spaces before the end of the file, are left to the library reader.
      if (text[at] === '\t' || at >= text.length) return -1;
      break;
    }
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    lastBlank = isBlank;
    if (!isBlank || keep) end = next;
    line = next;
  }
  return lastBlank && keep && text.charCodeAt(end - 1) !== 0x0a ? -1 : end;
}

/** Whether blank lines contain spaces, whose meaning depends on where they are. */
function hasOddBlanks(source: string, columns: number): boolean {
  return /(?:^|\n) +(?:\n|$)/.test(source) || columns === 0;
}

/** Decodes a literal block whose first line is not blank and whose blank lines are empty. */
function literalText(source: string, columns: number, chomping: string): string {
  const text = source.slice(columns).replaceAll(`\n${' '.repeat(columns)}`, '\n');
  if (chomping === '-') return text.endsWith('\n') ? text.slice(0, -1) : text;
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Decodes a valid scalar with the `yaml` package. */
function resolveScalar(token: CST.FlowScalar | CST.BlockScalar): string {
  return CST.resolveAsScalar(token, false, () => undefined)?.value ?? '';
}
