import type { Span } from '../text/source';

/** The kind of text at the cursor in a TOML text, with its table. */
export type TomlCursor =
  | { readonly in: 'header'; readonly isList: boolean; readonly word: Span }
  | { readonly in: 'key'; readonly table: readonly string[]; readonly taken: readonly string[]; readonly word: Span }
  | { readonly in: 'value'; readonly table: readonly string[]; readonly key: string; readonly word: Span };

const HEADER = /^\s*(\[\[?)\s*([^\]\n]*?)\s*\]\]?/;
const KEY = /^\s*([\w-]+)\s*=/;

/**
 * Finds what is at `offset` by scanning lines, because a text is rarely valid while it is being edited. Undefined in
 * comments and multi-line strings.
 */
export function tomlCursor(text: string, offset: number): TomlCursor | undefined {
  const start = startOfLine(text, offset);
  const before = plainLines(text.slice(0, start));
  if (before === undefined) return undefined;
  const line = text.slice(start, endOfLine(text, offset));
  const typed = text.slice(start, offset);
  const word = (from: number, rest: RegExp): Span => ({
    start: start + from,
    end: offset + (rest.exec(line.slice(typed.length))?.[0].length ?? 0),
  });
  const header = /^\s*(\[\[?)\s*[\w.-]*$/.exec(typed);
  if (header !== null) {
    return { in: 'header', isList: header[1] === '[[', word: word(typed.indexOf('['), /^[\w.-]*\s*\]{0,2}/) };
  }
  const table = tableOf(before);
  const key = KEY.exec(typed);
  if (key === null) {
    if (!/^\s*[\w-]*$/.test(typed)) return undefined;
    const taken = [...keysOf(before), ...keysUntilHeader(text.slice(endOfLine(text, offset)))];
    return { in: 'key', table, taken, word: word(typed.search(/[\w-]*$/), /^[\w-]*/) };
  }
  const value = typed.slice(key[0].length).trimStart();
  if (value.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '').includes('#')) return undefined;
  return { in: 'value', table, key: key[1] ?? '', word: word(typed.length - value.length, /^[^#\n]*?(?=\s*(?:#|$))/) };
}

/** The key or header at `offset`, as a path of names, with its span. */
export function tomlNameAt(
  text: string,
  offset: number,
): { readonly path: readonly string[]; readonly span: Span } | undefined {
  const start = startOfLine(text, offset);
  const before = plainLines(text.slice(0, start));
  const line = text.slice(start, endOfLine(text, offset));
  if (before === undefined) return undefined;
  const header = HEADER.exec(line);
  const name = header?.[2] ?? KEY.exec(line)?.[1];
  if (name === undefined) return undefined;
  const from = start + line.indexOf(name, header?.[1] === undefined ? 0 : line.indexOf('['));
  const span = { start: from, end: from + name.length };
  if (offset < span.start || offset > span.end) return undefined;
  return { path: header === null ? [...tableOf(before), name] : namesOf(name), span };
}

function startOfLine(text: string, offset: number): number {
  // `lastIndexOf` treats -1 as 0.
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

/** The lines of a text without those in multi-line strings; undefined if such a string is not closed. */
function plainLines(text: string): readonly string[] | undefined {
  const closed = text.replace(/("""|''')[\s\S]*?\1/g, '""');
  return /"""|'''/.test(closed) ? undefined : closed.split('\n');
}

function tableOf(lines: readonly string[]): readonly string[] {
  const header = lines.findLast((line) => HEADER.test(line));
  return header === undefined ? [] : namesOf(HEADER.exec(header)?.[2] ?? '');
}

function namesOf(header: string): readonly string[] {
  return header === '' ? [] : header.split('.').map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

function keysOf(lines: readonly string[]): readonly string[] {
  const first = lines.findLastIndex((line) => HEADER.test(line)) + 1;
  return lines.slice(first).flatMap((line) => KEY.exec(line)?.[1] ?? []);
}

function keysUntilHeader(text: string): readonly string[] {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => HEADER.test(line));
  return (end === -1 ? lines : lines.slice(0, end)).flatMap((line) => KEY.exec(line)?.[1] ?? []);
}
