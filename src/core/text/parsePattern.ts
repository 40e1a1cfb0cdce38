import { t } from './l10n';
import {
  ASCII_CHARACTER_SETS,
  CHARACTER_SETS,
  type CharacterSets,
  type Escape,
  InvalidPattern,
  type PatternDialect,
  readEscape,
  UnsupportedPattern,
} from './patternDialect';

/** A part of a pattern. Groups are only what holds parts together: nothing asks what a group matched. */
export type PatternNode = PatternSet | PatternPlace | PatternLook | PatternRepeat | PatternParts;

/** One character. */
export interface PatternSet {
  readonly type: 'set';
  readonly items: readonly SetItem[];
  readonly negated: boolean;
  readonly ignoreCase: boolean;
}

export type SetItem =
  | { readonly type: 'range'; readonly first: number; readonly last: number }
  /** Members of a class of RE2. */
  | { readonly type: 'members'; readonly members: string; readonly negated: boolean }
  /** A class of JavaScript, as of a Unicode property. */
  | { readonly type: 'property'; readonly property: string };

/** A position in the text that has a certain neighbourhood. */
export interface PatternPlace {
  readonly type: 'place';
  readonly place: 'start' | 'end' | 'line-start' | 'line-end' | 'end-or-final-newline' | 'boundary' | 'no-boundary';
  /** Of a boundary: the members of the class of word characters. */
  readonly word: string;
}

/** A position before or after which a pattern matches, or does not. */
export interface PatternLook {
  readonly type: 'look';
  readonly behind: boolean;
  readonly negated: boolean;
  readonly body: PatternNode;
}

export interface PatternRepeat {
  readonly type: 'repeat';
  readonly body: PatternNode;
  readonly least: number;
  readonly most: number | undefined;
  readonly lazy: boolean;
}

interface PatternParts {
  readonly type: 'sequence' | 'choice';
  readonly parts: readonly PatternNode[];
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  /** Python's: `\w`, `\d`, `\s` and `\b` match ASCII only. */
  readonly a: boolean;
}

const MAX_DEPTH = 200;
const LINE_ENDS: readonly SetItem[] = [0x0a, 0x0d, 0x2028, 0x2029].map(character);

/** Parses a pattern; throws `InvalidPattern` or `UnsupportedPattern`. A pattern of JavaScript must be valid. */
export function parsePattern(pattern: string, dialect: PatternDialect): PatternNode {
  return new PatternParser(pattern, dialect).run();
}

class PatternParser {
  #at = 0;
  #depth = 0;
  #flags: Flags;

  constructor(
    private readonly pattern: string,
    private readonly dialect: PatternDialect,
  ) {
    this.#flags = { i: false, m: false, s: dialect !== 'javascript', x: false, a: false };
  }

  run(): PatternNode {
    const [start, letters = ''] = /^\(\?([A-Za-z]+)\)/.exec(this.pattern) ?? [];
    if (start !== undefined) {
      this.#set(letters, '');
      this.#at = start.length;
    }
    const whole = this.#choice();
    if (this.#rest !== '') throw new InvalidPattern(t('unbalanced parenthesis'));
    return whole;
  }

  get #rest(): string {
    return this.pattern.slice(this.#at);
  }

  get #sets(): CharacterSets {
    return this.#flags.a ? ASCII_CHARACTER_SETS : CHARACTER_SETS[this.dialect];
  }

  /** Consumes a match at the current position. */
  #consume(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#rest);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  /** Alternatives, up to the end of the group. Flags that are set in it end with it. */
  #choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new UnsupportedPattern(t('more than {0} nested groups', MAX_DEPTH));
    const options: PatternNode[] = [];
    do options.push(this.#sequence());
    while (this.#consume(/^\|/));
    this.#depth -= 1;
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'choice', parts: options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) {
      if (this.#flags.x && this.#consume(/^(?:\s+|#[^\n]*)/)) continue;
      const part = this.#part();
      if (part !== undefined) parts.push(part);
    }
    return { type: 'sequence', parts };
  }

  #part(): PatternNode | undefined {
    if (this.#consume(/^\(/)) {
      const group = this.#group();
      return group && this.#repeated(group);
    }
    if (this.#consume(/^\^/)) return this.#place(this.#flags.m ? 'line-start' : 'start');
    if (this.#consume(/^\$/)) {
      if (this.#flags.m) return this.#place('line-end');
      return this.#place(this.dialect === 'python' ? 'end-or-final-newline' : 'end');
    }
    return this.#repeated(this.#atom());
  }

  #place(place: PatternPlace['place']): PatternPlace {
    return { type: 'place', place, word: place.endsWith('boundary') ? this.#sets.w : '' };
  }

  #atom(): PatternNode {
    if (this.#consume(/^\./)) return this.#dot();
    if (this.#consume(/^\[/)) return this.#class();
    if (this.#rest.startsWith('\\')) return this.#escaped();
    if (/^[*+?]/.test(this.#rest)) throw new InvalidPattern(t('nothing to repeat'));
    return this.#one(character(this.#next()));
  }

  #dot(): PatternSet {
    const excluded = this.#flags.s ? [] : this.dialect === 'javascript' ? LINE_ENDS : [character(0x0a)];
    return { type: 'set', items: excluded, negated: true, ignoreCase: false };
  }

  #one(item: SetItem): PatternSet {
    return { type: 'set', items: [item], negated: false, ignoreCase: this.#flags.i };
  }

  /** The next code point of the pattern. */
  #next(): number {
    const code = this.pattern.codePointAt(this.#at);
    if (code === undefined) throw new InvalidPattern(t('unterminated character set'));
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #repeated(body: PatternNode): PatternNode {
    if (this.#flags.x) this.#consume(/^\s+/);
    const range = this.#range();
    if (range === undefined) return body;
    if (this.dialect !== 'javascript' && this.#rest.startsWith('+'))
      throw new UnsupportedPattern(t('a possessive quantifier'));
    if (this.#rest.startsWith('*')) throw new InvalidPattern(t('multiple repeat'));
    const lazy = this.#consume(/^\?/) !== undefined;
    if (range.most !== undefined && range.most < range.least)
      throw new InvalidPattern(t('min repeat greater than max'));
    return { type: 'repeat', body, ...range, lazy };
  }

  #range(): { readonly least: number; readonly most: number | undefined } | undefined {
    const [sign] = this.#consume(/^[*+?]/) ?? [];
    if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : undefined };
    const form = this.dialect === 'javascript' ? /^\{(?:(\d+)|(\d+),(\d*))\}/ : /^\{(?:(\d+)|(\d*),(\d*))\}/;
    const counted = this.#consume(form);
    if (counted === undefined) return undefined;
    const [, exactly, least = '', most = ''] = counted;
    if (exactly !== undefined) return { least: Number(exactly), most: Number(exactly) };
    return { least: Number(least || '0'), most: most === '' ? undefined : Number(most) };
  }

  /** A group, after its parenthesis; undefined for what matches nothing, such as a comment. */
  #group(): PatternNode | undefined {
    if (this.dialect !== 'javascript' && this.#consume(/^\?#[^)]*\)/)) return undefined;
    const [, referenced] = this.#consume(/^\?P=(\w+)\)/) ?? [];
    if (referenced !== undefined) throw backreference(`(?P=${referenced})`);
    const [, on = '', off = '', end] = this.#consume(/^\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/) ?? [];
    if (end === ')') {
      if (this.dialect === 'python') throw new InvalidPattern(t('global flags not at the start of the expression'));
      this.#set(on, off);
      return undefined;
    }
    const outer = this.#flags;
    if (end === ':') this.#set(on, off);
    const look = end === undefined ? this.#opened() : undefined;
    const body = this.#choice();
    if (!this.#consume(/^\)/)) throw new InvalidPattern(t('missing ), unterminated subpattern'));
    this.#flags = outer;
    return look === undefined ? body : { type: 'look', behind: look.includes('<'), negated: look.includes('!'), body };
  }

  /** Reads what a group begins with; returns the signs of a lookaround. */
  #opened(): string | undefined {
    const name = { python: /^\?P<(\w+)>/, rust: /^\?P?<(\w+)>/, javascript: /^\?<([^=!][^>]*)>/ }[this.dialect];
    if (this.#consume(name)) return undefined;
    const [look] = this.#consume(/^\?<?[=!]/) ?? [];
    if (look !== undefined && this.dialect === 'rust') throw new InvalidPattern(t('look-around is not supported'));
    if (look !== undefined) return look;
    if (this.#rest.startsWith('?>')) throw new UnsupportedPattern(t('an atomic group'));
    if (this.#rest.startsWith('?(')) throw new UnsupportedPattern(t('a conditional group'));
    if (this.#rest.startsWith('?')) throw new InvalidPattern(t('unknown extension {0}', this.#rest.slice(0, 3)));
    return undefined;
  }

  #set(on: string, off: string): void {
    const validFlags = this.dialect === 'python' ? /^[aimsux]*$/ : /^[imsux]*$/;
    if (!validFlags.test(on) || !/^[imsx]*$/.test(off)) {
      if (this.dialect === 'python') throw new InvalidPattern(t('unknown flag'));
      throw new UnsupportedPattern(t('the flags {0}-{1}', on, off));
    }
    const set = (flag: keyof Flags): boolean => (this.#flags[flag] || on.includes(flag)) && !off.includes(flag);
    this.#flags = { i: set('i'), m: set('m'), s: set('s'), x: set('x'), a: set('a') };
  }

  #escaped(): PatternNode {
    if (this.dialect !== 'javascript') {
      if (this.#consume(/^\\A/)) return this.#place('start');
      if (this.#consume(this.dialect === 'python' ? /^\\Z/ : /^\\z/)) return this.#place('end');
    }
    if (this.#consume(/^\\b/)) return this.#place('boundary');
    if (this.#consume(/^\\B/)) return this.#place('no-boundary');
    const reference = this.dialect === 'javascript' ? /^\\(?:[1-9]\d*|k<[^>]*>)/ : /^\\(?![0-3][0-7]{2})[1-9]\d?/;
    const [referenced] = this.#consume(reference) ?? [];
    if (referenced !== undefined) throw backreference(referenced);
    const found = this.#escape();
    if ('code' in found) return this.#one(character(found.code));
    if ('set' in found)
      return { type: 'set', items: [this.#members(found.set)], negated: found.negated, ignoreCase: false };
    return this.#one({ type: 'property', property: found.property });
  }

  #members(set: keyof CharacterSets, negated = false): SetItem {
    return { type: 'members', members: this.#sets[set], negated };
  }

  #escape(): Escape {
    const found = readEscape(this.#rest, this.dialect);
    this.#at += found.length;
    return found;
  }

  /** A bracketed class, after its opening bracket. */
  #class(): PatternSet {
    const negated = this.#consume(/^\^/) !== undefined;
    const items: SetItem[] = [];
    // Only in JavaScript is a class that ends at once empty.
    for (let isFirst = this.dialect !== 'javascript'; isFirst || !this.#consume(/^\]/); isFirst = false) {
      if (this.#rest === '') throw new InvalidPattern(t('unterminated character set'));
      items.push(...this.#items());
    }
    return { type: 'set', items, negated, ignoreCase: this.#flags.i };
  }

  #items(): readonly SetItem[] {
    if (this.dialect === 'rust' && /^(?:\[|&&|--|~~)/.test(this.#rest))
      throw new UnsupportedPattern(t('a nested character class'));
    const first = this.#member();
    if (!/^-[^\]]/.test(this.#rest)) return [typeof first === 'number' ? character(first) : first];
    const hyphenAt = this.#at;
    this.#at += 1;
    const last = this.#member();
    if (typeof first === 'number' && typeof last === 'number' && first <= last) return [{ type: 'range', first, last }];
    if (this.dialect !== 'javascript') throw new InvalidPattern(t('bad character range'));
    // JavaScript takes the hyphen between a set and a character for itself.
    this.#at = hyphenAt + 1;
    return [typeof first === 'number' ? character(first) : first, character(0x2d)];
  }

  /** One character, or a set of them. */
  #member(): number | SetItem {
    if (this.#consume(/^\\b/)) return 8;
    if (!this.#rest.startsWith('\\')) return this.#next();
    const found = this.#escape();
    if ('code' in found) return found.code;
    if ('set' in found) return this.#members(found.set, found.negated);
    return { type: 'property', property: found.property };
  }
}

function character(code: number): SetItem {
  return { type: 'range', first: code, last: code };
}

function backreference(source: string): UnsupportedPattern {
  return new UnsupportedPattern(t('the backreference {0}, which cannot be matched in linear time', source));
}
