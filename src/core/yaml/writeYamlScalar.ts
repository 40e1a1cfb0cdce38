import { analyseScalar, needsEscape, type UnescapedRange } from './analyseScalar';

/** Where a scalar stands, and how its writer lays it out. */
export interface ScalarPlace extends FoldingPlace {
  /** How many columns of the indentation are beyond that of the parent: 2 unless it is said. */
  readonly step?: number;
  /** What the writer does not escape; more, where the replaced token has more. */
  readonly plainness?: UnescapedRange;
  /** How the file ends its lines. */
  readonly lineEnd?: string;
}

/**
 * A string as a YAML scalar, in the style of the token it replaces, or else in the next one that can represent it:
 * plain, single-quoted, double-quoted. A block stays a block. Lines are broken as libyaml breaks them, of which PyYAML,
 * Psych, R's `yaml`, yaml.v3 and serde_yaml are made or from which they descend. Tokens come without their tag, and a
 * block with the line feed that ends it.
 */
export function writeYamlString(value: string, replaced: string, place: ScalarPlace): string {
  return withLineEnds(writeInStyleOf(value, replaced, place), place.lineEnd);
}

/** Base64 as the scalar of a `!!binary`, wrapped as the token it replaces, or at `columns` where that is one line. */
export function writeYamlBinary(base64: string, replaced: string, place: ScalarPlace, columns: number): string {
  const quote = /^["']/.exec(replaced)?.[0];
  const [header = '', ...lines] = replaced.trimEnd().split(/\r?\n/);
  if (!/^[|>]/.test(header)) return quote === undefined ? base64 : quote + base64 + quote;
  // The first line may be blank: what is wrapped at nothing has no end.
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
    // libyaml counts a tab as special; other writers do not.
    const printed = replaced.includes('\t') ? value.replaceAll('\t', '') : value;
    // A block of nothing but spaces has no indentation that could be told from them; some readers lose a last line of spaces.
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

/** What the replaced token leaves as it is counts, and then what its writer is known for. */
function unescapedRangeOf(replaced: string, known: UnescapedRange | undefined): UnescapedRange {
  if (/[\u{10000}-\u{10ffff}]/u.test(replaced)) return 'all';
  if (known === undefined) return /^".*\\[uUx]/s.test(replaced) && !needsEscape(replaced, 'ascii') ? 'ascii' : 'all';
  return known === 'ascii' && /[\u00a0-\uffff]/.test(replaced) ? 'bmp' : known;
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

/** Where a scalar stands that may be broken into lines. */
export interface FoldingPlace {
  /** The columns by which lines that continue the scalar are indented. */
  readonly indent: number;
  /** The column at which the scalar begins, from 0. Matters only to a writer that folds. */
  readonly column?: number;
  /** A text is broken at the first occasion beyond this column; without it, never. */
  readonly width?: number;
}

/** Collects the pieces of a scalar and knows the column, counted in code points as libyaml does. */
export class FoldingWriter {
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

  /** With `pending` more columns. */
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

/** `yaml_emitter_write_double_quoted_scalar` of libyaml: a long line is broken in place of a space. */
export function doubleQuoted(value: string, plainness: UnescapedRange, place: FoldingPlace): string {
  const writer = new FoldingWriter(place);
  writer.put('"');
  for (const { 0: run, index } of value.matchAll(/ +|[^ ]+/g)) {
    if (!run.startsWith(' '))
      writer.put(run.replace(/["\\]|[^ !#-[\]-~]/gu, (char) => escapeCharacter(char, plainness)));
    else if (index > 0 && index + 1 < value.length && writer.isBeyondWidth()) {
      writer.breakLine();
      // The spaces after the first would be lost at the start of a line.
      if (run.length > 1) writer.put(`\\${run.slice(1)}`);
    } else writer.put(run);
  }
  writer.put('"');
  return writer.text;
}

/** `write_double_quoted` of PyYAML without libyaml: a long line is broken anywhere, with a backslash at its end. */
export function pythonDoubleQuoted(value: string, plainness: UnescapedRange, place: FoldingPlace): string {
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
    // PyYAML counts one column too few behind an escape.
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

/** Was a token written by PyYAML without libyaml? Only then is there a backslash at the end of a line. */
export function isPythonDoubleQuoted(token: string): boolean {
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
