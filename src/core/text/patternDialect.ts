/** `python`: the module `re` on `str`. `rust`: the crate `regex`. Both are used with DOTALL, and match code points. */
export type PatternDialect = 'python' | 'rust';

/** The meaning of `\w`, `\d` and `\s`, as classes of JavaScript's `v` mode. */
export interface CharacterSets {
  readonly w: string;
  readonly d: string;
  readonly s: string;
}

/** Unlike JavaScript's, all three match Unicode. */
export const CHARACTER_SETS: Readonly<Record<PatternDialect, CharacterSets>> = {
  python: {
    w: '[\\p{L}\\p{N}_]',
    d: '\\p{Nd}',
    s: '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]',
  },
  rust: { w: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]', d: '\\p{Nd}', s: '\\p{White_Space}' },
};

/** With Python's flag `a`. */
export const ASCII_CHARACTER_SETS: CharacterSets = { w: '[A-Za-z0-9_]', d: '[0-9]', s: '[\\t-\\r ]' };

/** A pattern that is invalid in its own dialect. */
export class InvalidPattern extends Error {}

/** A pattern that is valid in its own dialect but cannot be translated. */
export class UnsupportedPattern extends Error {}

/** An escape sequence: a character, or a set of characters. */
export type Escape = { readonly length: number } & (
  | { readonly code: number }
  | { readonly set: keyof CharacterSets; readonly negated: boolean }
  /** A JavaScript class. */
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
  const [hex = '', two, four, eight] = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(text) ?? [];
  const digits = two ?? four ?? eight;
  if (digits !== undefined) return { length: hex.length, code: codePoint(digits) };
  const [octal] = /^\\(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(text) ?? [];
  if (octal !== undefined) return { length: octal.length, code: Number.parseInt(octal.slice(1), 8) };
  if (dialect === 'rust') {
    const [braced = '', code] = /^\\[xuU]\{([\da-fA-F]+)\}/.exec(text) ?? [];
    if (code !== undefined) return { length: braced.length, code: codePoint(code) };
    const [property = '', letter, name] = /^\\([pP])(?:\{([^}]*)\}|[A-Z])/.exec(text) ?? [];
    if (letter !== undefined) return { length: property.length, property: `\\${letter}{${name ?? property.slice(2)}}` };
  }
  const char = String.fromCodePoint(text.codePointAt(1) ?? 0);
  if (text.length < 2) throw new InvalidPattern('bad escape (end of pattern)');
  const control = CONTROLS[char];
  if (control !== undefined) return { length: 2, code: control };
  if (char === 'N' && dialect === 'python') throw new UnsupportedPattern('a character escape by name');
  if (/[A-Za-z\d]/.test(char)) throw new InvalidPattern(`bad escape \\${char}`);
  return { length: 1 + char.length, code: char.codePointAt(0) ?? 0 };
}

function codePoint(digits: string): number {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw new InvalidPattern(`invalid code point ${digits}`);
  return code;
}
