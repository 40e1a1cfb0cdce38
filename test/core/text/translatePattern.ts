/**
 * Translates a pattern of Python or Rust to one of JavaScript, whose own engine backtracks: the reference for patterns and
 * texts of tests. Throws where there is no such pattern.
 */
export function translatePattern(pattern: string, dialect: PatternDialect, extraFlags = ''): RegExp {
  const { source, flags } = new PatternTranslator(pattern, dialect).run();
  return new RegExp(source, flags + extraFlags);
}

type PatternDialect = 'python' | 'rust';

/** The meaning of `\w`, `\d` and `\s`, as classes of JavaScript's `v` mode. */
interface CharacterSets {
  readonly w: string;
  readonly d: string;
  readonly s: string;
}

/** Unlike JavaScript's, all three match Unicode. */
const CHARACTER_SETS: Readonly<Record<PatternDialect, CharacterSets>> = {
  python: {
    w: '[\\p{L}\\p{N}_]',
    d: '\\p{Nd}',
    s: '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]',
  },
  rust: { w: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]', d: '\\p{Nd}', s: '\\p{White_Space}' },
};

/** With Python's flag `a`. */
const ASCII_CHARACTER_SETS: CharacterSets = { w: '[A-Za-z0-9_]', d: '[0-9]', s: '[\\t-\\r ]' };

/** A pattern that is invalid in its own dialect. */
class InvalidPattern extends Error {}

/** A pattern that is valid in its own dialect but cannot be translated. */
class UnsupportedPattern extends Error {}

/** An escape sequence: a character, or a set of characters. */
type Escape = { readonly length: number } & (
  | { readonly code: number }
  | { readonly set: keyof CharacterSets; readonly negated: boolean }
  /** A JavaScript class. */
  | { readonly property: string }
);

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads the escape at the start of `text`, if it means the same inside and outside brackets. */
function readEscape(text: string, dialect: PatternDialect): Escape {
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
  if (char === 'N' && dialect === 'python') throw new UnsupportedPattern('a character by its name');
  if (/[A-Za-z\d]/.test(char)) throw new InvalidPattern(`bad escape \\${char}`);
  return { length: 1 + char.length, code: char.codePointAt(0) ?? 0 };
}

function codePoint(digits: string): number {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw new InvalidPattern(`invalid code point ${digits}`);
  return code;
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  /** Python's: `\w`, `\d`, `\s` and `\b` match ASCII only. */
  readonly a: boolean;
}

const TEXT_START = '(?<![\\s\\S])';
const TEXT_END = '(?![\\s\\S])';
/** The largest range of characters that is expanded for case-insensitive matching. */
const LARGEST_RANGE = 0x3000;

class PatternTranslator {
  readonly #pattern: string;
  readonly #dialect: PatternDialect;
  #at = 0;
  #flags: Flags = { i: false, m: false, s: true, x: false, a: false };
  readonly #outer: Flags[] = [];
  /** The whole pattern is case-insensitive, so that JavaScript's own flag is used. */
  #ignoresCase = false;

  constructor(pattern: string, dialect: PatternDialect) {
    this.#pattern = pattern;
    this.#dialect = dialect;
  }

  run(): { readonly source: string; readonly flags: string } {
    const [start, letters = ''] = /^\(\?([A-Za-z]+)\)/.exec(this.#pattern) ?? [];
    if (start !== undefined) {
      this.#set(letters, '');
      this.#at = start.length;
      this.#ignoresCase = this.#flags.i;
    }
    let source = '';
    while (this.#at < this.#pattern.length) source += this.#next();
    return { source, flags: this.#ignoresCase ? 'iv' : 'v' };
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  get #sets(): CharacterSets {
    return this.#flags.a ? ASCII_CHARACTER_SETS : CHARACTER_SETS[this.#dialect];
  }

  /** Consumes a match at the current position. */
  #consume(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#rest);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  #next(): string {
    if (this.#flags.x && this.#consume(/^(?:\s+|#[^\n]*)/)) return '';
    if (this.#consume(/^\(/)) return this.#group();
    if (this.#consume(/^\)/)) {
      this.#flags = this.#outer.pop() ?? this.#flags;
      return `)${this.#quantifier()}`;
    }
    if (this.#consume(/^\|/)) return '|';
    if (this.#consume(/^\^/)) return this.#flags.m ? '(?<![^\\n])' : TEXT_START;
    if (this.#consume(/^\$/)) return this.#end();
    return this.#atom() + this.#quantifier();
  }

  /** In Python, `$` also matches before a final newline. */
  #end(): string {
    if (this.#flags.m) return `(?=\\n|${TEXT_END})`;
    return this.#dialect === 'python' ? `(?=\\n?${TEXT_END})` : TEXT_END;
  }

  #atom(): string {
    if (this.#consume(/^\./)) return this.#flags.s ? '[\\s\\S]' : '[^\\n]';
    if (this.#consume(/^\[/)) return this.#class();
    if (this.#rest.startsWith('\\')) return this.#escaped();
    if (/^[*+?]/.test(this.#rest)) throw new InvalidPattern('nothing to repeat');
    const code = this.#rest.codePointAt(0) ?? 0;
    this.#at += String.fromCodePoint(code).length;
    return this.#character(code);
  }

  #quantifier(): string {
    if (this.#flags.x) this.#consume(/^\s+/);
    const counted = this.#consume(/^\{(?:(\d+)|(\d*),(\d*))\}/);
    const [, exactly, least = '', most = ''] = counted ?? [];
    const found = counted === undefined ? this.#consume(/^[*+?]/)?.[0] : `{${exactly ?? `${least || '0'},${most}`}}`;
    if (found === undefined) return '';
    if (this.#rest.startsWith('+')) throw new UnsupportedPattern('a possessive quantifier');
    if (/^[*]/.test(this.#rest)) throw new InvalidPattern('multiple repeat');
    return found + (this.#consume(/^\?/)?.[0] ?? '');
  }

  #group(): string {
    if (this.#consume(/^\?#[^)]*\)/)) return '';
    const [, referenced] = this.#consume(/^\?P=(\w+)\)/) ?? [];
    if (referenced !== undefined) return this.#reference(`\\k<${referenced}>`) + this.#quantifier();
    const flagged = this.#consume(/^\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/);
    const [, on = '', off = '', end] = flagged ?? [];
    if (end === ')') {
      if (this.#dialect === 'python') throw new InvalidPattern('global flags not at the start of the expression');
      this.#set(on, off);
      return '';
    }
    this.#outer.push(this.#flags);
    if (end === ':') {
      this.#set(on, off);
      return '(?:';
    }
    const name = this.#dialect === 'python' ? /^\?P<(\w+)>/ : /^\?P?<(\w+)>/;
    const [, named] = this.#consume(name) ?? [];
    if (named !== undefined) return `(?<${named}>`;
    const [look] = this.#consume(/^\?<?[=!]/) ?? [];
    if (look !== undefined) return `(${look}`;
    if (this.#rest.startsWith('?>')) throw new UnsupportedPattern('an atomic group');
    if (this.#rest.startsWith('?(')) throw new UnsupportedPattern('a conditional group');
    if (this.#rest.startsWith('?')) throw new InvalidPattern(`unknown extension ${this.#rest.slice(0, 3)}`);
    return '(';
  }

  #set(on: string, off: string): void {
    const validFlags = this.#dialect === 'python' ? /^[aimsux]*$/ : /^[imsux]*$/;
    if (!validFlags.test(on) || !/^[imsx]*$/.test(off)) {
      if (this.#dialect === 'python') throw new InvalidPattern('unknown flag');
      throw new UnsupportedPattern(`the flags ${on}-${off}`);
    }
    if (off.includes('i') && this.#ignoresCase)
      throw new UnsupportedPattern('a case-sensitive group in a case-insensitive pattern');
    const set = (flag: keyof Flags): boolean => (this.#flags[flag] || on.includes(flag)) && !off.includes(flag);
    this.#flags = { i: set('i'), m: set('m'), s: set('s'), x: set('x'), a: set('a') };
  }

  #escaped(): string {
    if (this.#consume(/^\\A/)) return TEXT_START;
    if (this.#consume(this.#dialect === 'python' ? /^\\Z/ : /^\\z/)) return TEXT_END;
    const { w } = this.#sets;
    if (this.#consume(/^\\b/)) return `(?:(?<=${w})(?!${w})|(?<!${w})(?=${w}))`;
    if (this.#consume(/^\\B/)) return `(?:(?<=${w})(?=${w})|(?<!${w})(?!${w}))`;
    const [reference] = this.#consume(/^\\(?![0-3][0-7]{2})[1-9]\d?/) ?? [];
    if (reference !== undefined) return this.#reference(reference);
    const found = this.#escape();
    return 'code' in found ? this.#character(found.code) : this.#setOf(found);
  }

  #reference(reference: string): string {
    if (this.#flags.i && !this.#ignoresCase)
      throw new UnsupportedPattern('a backreference in a case-insensitive group');
    return `(?:${reference})`;
  }

  #escape(): Escape {
    const found = readEscape(this.#rest, this.#dialect);
    this.#at += found.length;
    return found;
  }

  #setOf(found: Exclude<Escape, { code: number }>): string {
    if ('property' in found) return found.property;
    const set = this.#sets[found.set];
    return found.negated ? `[^${set}]` : set;
  }

  #character(code: number): string {
    const cases = this.#cases(code, code);
    return cases.length > 1 ? `[${cases.map(literalCharacter).join('')}]` : literalCharacter(code);
  }

  /** Translates a bracketed class, after its opening bracket. */
  #class(): string {
    const negation = this.#consume(/^\^/)?.[0] ?? '';
    let items = '';
    for (let isFirst = true; isFirst || !this.#consume(/^\]/); isFirst = false) {
      if (this.#rest === '') throw new InvalidPattern('unterminated character set');
      items += this.#item();
    }
    return `[${negation}${items}]`;
  }

  #item(): string {
    if (this.#dialect === 'rust' && /^(?:\[|&&|--|~~)/.test(this.#rest))
      throw new UnsupportedPattern('a class in a class');
    const first = this.#member();
    const isRange = /^-[^\]]/.test(this.#rest);
    if (typeof first === 'string') {
      if (isRange) throw new InvalidPattern('bad character range');
      return first;
    }
    if (!isRange) return this.#cases(first, first).map(literalCharacter).join('');
    this.#at += 1;
    const last = this.#member();
    if (typeof last === 'string' || last < first) throw new InvalidPattern('bad character range');
    return `${literalCharacter(first)}-${literalCharacter(last)}${this.#cases(first, last).map(literalCharacter).join('')}`;
  }

  /** One character, or a class of them. */
  #member(): number | string {
    if (this.#consume(/^\\b/)) return 8;
    if (this.#rest.startsWith('\\')) {
      const found = this.#escape();
      return 'code' in found ? found.code : this.#setOf(found);
    }
    const code = this.#rest.codePointAt(0);
    if (code === undefined) throw new InvalidPattern('unterminated character set');
    this.#at += String.fromCodePoint(code).length;
    return code;
  }

  /** The characters of a range in both cases, if only a part of the pattern is case-insensitive. */
  #cases(first: number, last: number): readonly number[] {
    if (!this.#flags.i || this.#ignoresCase) return first === last ? [first] : [];
    if (last - first > LARGEST_RANGE) throw new UnsupportedPattern('a large case-insensitive range');
    const codes = new Set<number>();
    for (let code = first; code <= last; code += 1) {
      const char = String.fromCodePoint(code);
      for (const other of [char, char.toLowerCase(), char.toUpperCase()])
        if (Array.from(other).length === 1) codes.add(other.codePointAt(0) ?? code);
    }
    return [...codes];
  }
}

/** A character escaped so that it matches itself, inside and outside brackets. */
function literalCharacter(code: number): string {
  const char = String.fromCodePoint(code);
  return /[\p{L}\p{N} ]/u.test(char) ? char : `\\u{${code.toString(16)}}`;
}
