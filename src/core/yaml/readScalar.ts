import type { JsonNode, JsonStringNode } from '../json/jsonNode';
import { lazy } from '../text/memo';
import { decodeBlock, decodeQuoted, hasOldBreaks } from './decodeScalar';

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

/**
 * Reads a quoted scalar; undefined if it is invalid. As in libyaml and PyYAML, its further lines may have any indentation;
 * YAML's specification asks for more than that of their parent.
 */
export function readQuotedScalar(text: string, at: number): JsonNode | undefined {
  const quote = text[at] === '"' ? '"' : "'";
  const end = quote === '"' ? afterDouble(text, at + 1) : afterSingle(text, at + 1);
  if (end === -1 || hasDocumentMarker(text, at, end)) return undefined;
  const source = text.slice(at, end);
  const inner = source.slice(1, -1);
  const isFolded = source.includes('\n') || hasOldBreaks(source);
  if (isFolded) return new LazyString(at, end, () => decodeQuoted(source));
  if (quote === "'") return new LazyString(at, end, () => inner.replaceAll("''", "'"));
  if (!inner.includes('\\')) return { type: 'string', value: inner, start: at, end };
  return new LazyString(at, end, () => parseAsJsonString(source) ?? decodeQuoted(source));
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

const DOCUMENT_MARKER = /^(?:---|\.\.\.)(?:\s|$)/;

/** Whether a line except the first begins or ends a document. */
function hasDocumentMarker(text: string, start: number, end: number): boolean {
  for (let line = text.indexOf('\n', start); line !== -1 && line < end; line = text.indexOf('\n', line + 1))
    if (DOCUMENT_MARKER.test(text.slice(line + 1, line + 5))) return true;
  return false;
}

const HEADER = /[|>]([-+]?)([1-9]?)([-+]?) *\n/y;

/** Reads a block scalar with at least this indentation; undefined if it is empty, or invalid. */
export function readBlockScalar(text: string, at: number, indent: number): JsonNode | undefined {
  HEADER.lastIndex = at;
  const [header, before, hint, after] = HEADER.exec(text) ?? [];
  if (header === undefined || (before && after)) return undefined;
  const chomping = before || after || '';
  const start = at + header.length;
  const first = firstLine(text, start);
  const firstColumns = first.at - first.line;
  const columns = hint ? indent - 1 + Number(hint) : firstColumns;
  if (firstColumns < Math.max(columns, indent) || first.at >= text.length) return undefined;
  const end = blockEnd(text, start, first.line, columns, chomping === '+');
  const source = text.slice(start, end);
  if (end === -1 || hasOddBlanks(source, columns)) return undefined;
  const isSimple = header.startsWith('|') && columns === first.at - start && !hasOldBreaks(source);
  const decode = () =>
    isSimple ? literalText(source, columns, chomping) : decodeBlock(header.trimEnd(), source, indent);
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
  return chomping === '-' && text.endsWith('\n') ? text.slice(0, -1) : text;
}
