import { type FoldingPlace, FoldingWriter } from './foldingWriter';
import { hasSpecial, type Plainness } from './scalarAnalysis';

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
export function doubleQuoted(value: string, plainness: Plainness, place: FoldingPlace): string {
  const writer = new FoldingWriter(place);
  writer.put('"');
  for (const { 0: run, index } of value.matchAll(/ +|[^ ]+/g)) {
    if (!run.startsWith(' ')) writer.put(run.replace(/["\\]|[^ !#-[\]-~]/gu, (char) => escaped(char, plainness)));
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
export function pythonDoubleQuoted(value: string, plainness: Plainness, place: FoldingPlace): string {
  const writer = new FoldingWriter(place);
  writer.put('"');
  let pending = '';
  let at = 0;
  for (const char of value) {
    const written = escaped(char, plainness);
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

function escaped(char: string, plainness: Plainness): string {
  if (char !== '"' && char !== '\\' && char !== '\n' && !hasSpecial(char, plainness)) return char;
  return `\\${ESCAPES[char] ?? codePointEscape(char.codePointAt(0) ?? 0)}`;
}

function codePointEscape(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `u${digits.padStart(4, '0')}` : `U${digits.padStart(8, '0')}`;
}
