import { analyseScalar, needsEscape, type UnescapedRange } from './analyseScalar';

/** The position of a scalar and the layout of its writer. */
export interface ScalarPlace extends FoldingPlace {
  /** The indentation relative to the parent; 2 by default. */
  readonly step?: number;
  /** The characters that the writer does not escape; at least those in the replaced token. */
  readonly plainness?: UnescapedRange;
  /** The line ends of the file. */
  readonly lineEnd?: string;
}

/**
 * Writes a string as a YAML scalar, in the style of the token it replaces or, if that cannot represent it, in the next
 * of plain, single-quoted and double-quoted. A block stays a block. Lines are wrapped as libyaml does, which PyYAML,
 * Psych, R's `yaml`, yaml.v3 and serde_yaml use or descend from. Tokens exclude their tag; a block includes its final
 * line feed.
 */
export function writeYamlString(value: string, replaced: string, place: ScalarPlace): string {
  return withLineEnds(writeInStyleOf(value, replaced, place), place.lineEnd);
}

/**
 * Writes base64 as the scalar of a `!!binary`, wrapped like the token it replaces, or at `columns` if that is one line.
 */
export function writeYamlBinary(base64: string, replaced: string, place: ScalarPlace, columns: number): string {
  const quote = /^["']/.exec(replaced)?.[0];
  const [header = '', ...lines] = replaced.trimEnd().split(/\r?\n/);
  if (!/^[|>]/.test(header)) return quote === undefined ? base64 : quote + base64 + quote;
  // The first line may be blank, and wrapping at width 0 would not end.
  const wrapped = wrap(base64, (lines.length > 1 && lines[0]?.trim().length) || columns);
  return withLineEnds(
    `${[header, ...wrapped.map((line) => ' '.repeat(place.indent) + line)].join('\n')}\n`,
    place.lineEnd,
  );
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += columns) lines.push(text.slice(at, at + columns));
  return lines;
}

function withLineEnds(token: string, lineEnd = '\n'): string {
  return lineEnd === '\n' ? token : token.replaceAll('\n', lineEnd);
}

function writeInStyleOf(value: string, replaced: string, place: ScalarPlace): string {
  const plainness = unescapedRangeOf(replaced, place.plainness);
  if (/^[|>]/.test(replaced)) {
    // libyaml treats a tab as special; other writers do not.
    const printed = replaced.includes('\t') ? value.replaceAll('\t', '') : value;
    // In a block of spaces the indentation is ambiguous, and some readers lose a last line of spaces.
    return /[^ \n]/.test(value) && !/\n +\n*$/.test(value) && !needsEscape(printed, plainness)
      ? writeLiteral(value, replaced, place)
      : `${doubleQuoted(value, plainness, place)}\n`;
  }
  const { plain, singleQuoted } = analyseScalar(value, plainness);
  if (plain && !/^["']/.test(replaced)) return writeFolded(value, '', place);
  if (singleQuoted && !replaced.startsWith('"')) return writeFolded(value, "'", place);
  return isPythonDoubleQuoted(replaced)
    ? pythonDoubleQuoted(value, plainness, place)
    : doubleQuoted(value, plainness, place);
}

/** The unescaped range, judged by the replaced token, then by its writer. */
function unescapedRangeOf(replaced: string, writerRange: UnescapedRange | undefined): UnescapedRange {
  if (/[\u{10000}-\u{10ffff}]/u.test(replaced)) return 'all';
  if (writerRange === undefined)
    return /^".*\\[uUx]/s.test(replaced) && !needsEscape(replaced, 'ascii') ? 'ascii' : 'all';
  return writerRange === 'ascii' && /[\u00a0-\uffff]/.test(replaced) ? 'bmp' : writerRange;
}

/** `yaml_emitter_write_literal_scalar`. */
function writeLiteral(value: string, replaced: string, { indent, step = 2 }: ScalarPlace): string {
  const [, hinted = ''] = /^[|>][-+]?(\d?)/.exec(replaced) ?? [];
  const hint = /^[ \n]/.test(value) ? hinted || step : hinted;
  const chomping = !value.endsWith('\n') ? '-' : /(?:^|\n)\n$/.test(value) ? '+' : '';
  const lines = value.replace(/^(?=[^\n])/gm, ' '.repeat(indent));
  return `|${hint}${chomping}\n${lines}${chomping === '-' ? '\n' : ''}`;
}

/** `yaml_emitter_write_plain_scalar` and `yaml_emitter_write_single_quoted_scalar`. */
function writeFolded(value: string, quote: string, place: ScalarPlace): string {
  const writer = new FoldingWriter(place);
  writer.put(quote);
  for (const { 0: run, index } of value.matchAll(/ +|\n+|[^ \n]+/g)) {
    const inside = index > 0 && index + run.length < value.length;
    if (run === ' ' && inside && writer.isBeyondWidth()) writer.breakLine();
    else if (run.startsWith('\n')) writer.breakLine(`\n${run}`);
    else writer.put(quote === '' ? run : run.replaceAll("'", "''"));
  }
  writer.put(quote);
  return writer.text;
}

/** The position of a scalar that may be wrapped. */
interface FoldingPlace {
  /** The indentation of continuation lines. */
  readonly indent: number;
  /** The column of the scalar, from 0; used for wrapping only. */
  readonly column?: number;
  /** Text is wrapped at the first opportunity beyond this column; if absent, never. */
  readonly width?: number;
}

/** Collects the pieces of a scalar and tracks the column, in code points as libyaml does. */
class FoldingWriter {
  readonly #parts: string[] = [];
  readonly #indent: number;
  readonly #width: number;
  #column: number;

  constructor({ indent, column = 0, width = Number.POSITIVE_INFINITY }: FoldingPlace) {
    this.#indent = indent;
    this.#width = width;
    this.#column = column;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Whether `pending` more columns would exceed the width. */
  isBeyondWidth(pending = 0): boolean {
    return this.#column + pending > this.#width;
  }

  put(text: string): void {
    this.#parts.push(text);
    if (this.#width === Number.POSITIVE_INFINITY) return;
    this.#column += text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
  }

  breakLine(breaks = '\n'): void {
    this.#parts.push(breaks, ' '.repeat(this.#indent));
    this.#column = this.#indent;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** `yaml_emitter_write_double_quoted_scalar` of libyaml: wraps a long line at a space. */
function doubleQuoted(value: string, plainness: UnescapedRange, place: FoldingPlace): string {
  const writer = new FoldingWriter(place);
  writer.put('"');
  for (const { 0: run, index } of value.matchAll(/ +|[^ ]+/g)) {
    if (!run.startsWith(' '))
      writer.put(run.replace(/["\\]|[^ !#-[\]-~]/gu, (char) => escapeCharacter(char, plainness)));
    else if (index > 0 && index + 1 < value.length && writer.isBeyondWidth()) {
      writer.breakLine();
      // At the start of a line, the spaces after the first would be lost.
      if (run.length > 1) writer.put(`\\${run.slice(1)}`);
    } else writer.put(run);
  }
  writer.put('"');
  return writer.text;
}

/** `write_double_quoted` of PyYAML without libyaml: wraps a long line anywhere, with a backslash at its end. */
function pythonDoubleQuoted(value: string, plainness: UnescapedRange, place: FoldingPlace): string {
  const writer = new FoldingWriter(place);
  writer.put('"');
  let pending = '';
  let at = 0;
  for (const char of value) {
    const written = escapeCharacter(char, plainness);
    if (written !== char) {
      writer.put(pending + written);
      pending = '';
    }
    const isInside = at > 0 && at + char.length < value.length;
    // PyYAML counts one column too few after an escape.
    const more = written === char ? pending.length : -1;
    if (isInside && (char === ' ' || pending === '') && writer.isBeyondWidth(more)) {
      const rest = written === char ? value.slice(at) : value.slice(at + char.length);
      writer.put(`${pending}\\`);
      pending = '';
      writer.breakLine();
      if (rest.startsWith(' ')) writer.put('\\');
    }
    if (written === char) pending += char;
    at += char.length;
  }
  writer.put(`${pending}"`);
  return writer.text;
}

/** Whether a token was written by PyYAML without libyaml, which alone ends lines with a backslash. */
function isPythonDoubleQuoted(token: string): boolean {
  return /(?<!\\)(?:\\\\)*\\\r?\n/.test(token);
}

function escapeCharacter(char: string, plainness: UnescapedRange): string {
  if (char !== '"' && char !== '\\' && char !== '\n' && !needsEscape(char, plainness)) return char;
  return `\\${ESCAPES[char] ?? codePointEscape(char.codePointAt(0) ?? 0)}`;
}

function codePointEscape(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `u${digits.padStart(4, '0')}` : `U${digits.padStart(8, '0')}`;
}
