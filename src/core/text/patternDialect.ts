import { t } from './l10n';
/**
 * `python`: the module `re` on `str`. `rust`: the crate `regex`. Both are used with DOTALL. `javascript`: `RegExp`. In all
 * of them a character is a code point.
 */
export type PatternDialect = 'python' | 'rust' | 'javascript';

/** The meaning of `\w`, `\d` and `\s`, as members of a class of RE2. */
export interface CharacterSets {
  readonly w: string;
  readonly d: string;
  readonly s: string;
}

const ASCII_WORD = 'A-Za-z0-9_';
const JAVASCRIPT_SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const PYTHON_SPACE =
  '\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}';
const UNICODE_SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}';

export const CHARACTER_SETS: Readonly<Record<PatternDialect, CharacterSets>> = {
  python: { w: '\\p{L}\\p{N}_', d: '\\p{Nd}', s: PYTHON_SPACE },
  rust: { w: '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}', d: '\\p{Nd}', s: UNICODE_SPACE },
  javascript: { w: ASCII_WORD, d: '0-9', s: JAVASCRIPT_SPACE },
};

/** With Python's flag `a`. */
export const ASCII_CHARACTER_SETS: CharacterSets = { w: ASCII_WORD, d: '0-9', s: '\\x{9}-\\x{d}\\x{20}' };

/** A pattern that is invalid in its own dialect. */
export class InvalidPattern extends Error {}

/** A pattern that is valid in its own dialect but cannot be matched in linear time, or is not translated. */
export class UnsupportedPattern extends Error {}

/** An escape sequence: a character, or a set of characters. */
export type Escape = { readonly length: number } & (
  | { readonly code: number }
  | { readonly set: keyof CharacterSets; readonly negated: boolean }
  /** A class by its Unicode property, as in JavaScript. */
  | { readonly property: string }
);

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads the escape at the start of `text`, if it means the same inside and outside brackets. */
export function readEscape(text: string, dialect: PatternDialect): Escape {
  const [, set] = /^\\([wdsWDS])/.exec(text) ?? [];
  if (set !== undefined) {
    const lower = set.toLowerCase();
    return { length: 2, set: lower === 'w' ? 'w' : lower === 'd' ? 'd' : 's', negated: set !== lower };
  }
  const [pair = '', high, low] = /^\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/.exec(text) ?? [];
  if (dialect === 'javascript' && high !== undefined && low !== undefined)
    return {
      length: pair.length,
      code: String.fromCharCode(codePoint(high), codePoint(low)).codePointAt(0) ?? 0,
    };
  const [hex = '', two, four, eight] = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(text) ?? [];
  const digits = two ?? four ?? (dialect === 'javascript' ? undefined : eight);
  if (digits !== undefined) return { length: hex.length, code: codePoint(digits) };
  const [octal] = /^\\(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(text) ?? [];
  if (octal !== undefined) return { length: octal.length, code: Number.parseInt(octal.slice(1), 8) };
  if (dialect !== 'python') {
    const [braced = '', code] = (dialect === 'rust' ? BRACED : /^\\u\{([\da-fA-F]+)\}/).exec(text) ?? [];
    if (code !== undefined) return { length: braced.length, code: codePoint(code) };
    const [property = '', letter, name] = PROPERTY.exec(text) ?? [];
    if (letter !== undefined) return { length: property.length, property: `\\${letter}{${name ?? property.slice(2)}}` };
  }
  return readCharacter(text, dialect);
}

const BRACED = /^\\[xuU]\{([\da-fA-F]+)\}/;
const PROPERTY = /^\\([pP])(?:\{([^}]*)\}|[A-Z])/;

function readCharacter(text: string, dialect: PatternDialect): Escape {
  const char = String.fromCodePoint(text.codePointAt(1) ?? 0);
  if (text.length < 2) throw new InvalidPattern(t('bad escape (end of pattern)'));
  const [controlled, letter] = /^\\c([A-Za-z])/.exec(text) ?? [];
  if (dialect === 'javascript' && controlled !== undefined)
    return { length: 3, code: (letter ?? '').charCodeAt(0) % 32 };
  const control = char === 'a' && dialect === 'javascript' ? undefined : CONTROLS[char];
  if (control !== undefined) return { length: 2, code: control };
  if (char === 'N' && dialect === 'python') throw new UnsupportedPattern(t('a character escape by name'));
  // JavaScript has been asked before whether the pattern is valid.
  if (dialect !== 'javascript' && /[A-Za-z\d]/.test(char)) throw new InvalidPattern(t('bad escape \\{0}', char));
  return { length: 1 + char.length, code: char.codePointAt(0) ?? 0 };
}

function codePoint(digits: string): number {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw new InvalidPattern(t('invalid code point {0}', digits));
  return code;
}
