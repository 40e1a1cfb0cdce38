import type { RE2JS } from 're2js';
import { t } from './l10n';
import { linearEngine } from './linearEngine';
import type { PatternLook, PatternNode, PatternPlace } from './parsePattern';
import { composePattern } from './pattern';
import { UnsupportedPattern } from './patternDialect';
import { type PatternMatch, PatternTooSlow } from './patternMatch';
import { partsOf } from './patternNeeds';
import { type Re2Writer, re2Source } from './re2Source';

/** A bit each of a mark. */
const MAX_MARKS = 8;
const MARKS = 2 ** MAX_MARKS;
/** The beginning of a private range of Unicode, of which a part that the text does not have is used for marks. */
const PRIVATE = 0xf0000;
/** Marks double a text, which is taken apart into characters. */
const MAX_LENGTH = 4_000_000;

/**
 * Searches for a pattern with places that RE2 does not know: lookaheads, the word boundaries of Unicode, an end before the
 * last line break. They are evaluated first, one after the other, inner ones before the lookarounds that contain them. Which
 * of them hold at a position is then written into the text there, as one character of a private range, its mark; the
 * pattern looks behind for the mark. So all of it remains linear in the length of the text.
 */
export class MarkedSearch {
  readonly #marks: readonly (PatternPlace | PatternLook)[];
  readonly #compiled = new Map<string, RE2JS>();

  constructor(
    private readonly node: PatternNode,
    private readonly source: string,
  ) {
    this.#marks = marksOf(node);
  }

  test(text: string): boolean {
    for (const _ of this.matches(text)) return true;
    return false;
  }

  *matches(text: string): Iterable<PatternMatch> {
    if (text.length > MAX_LENGTH) throw new PatternTooSlow(this.source, text.length);
    const marked = new MarkedText(text, this.source);
    for (const [bit, mark] of this.#marks.entries()) {
      if (mark.type === 'place') marked.set(bit, holdsAt(mark, marked.characters));
      else this.#look(mark, bit, marked);
    }
    const search = this.#search(`(?<=${marked.anyMark})`, this.node, marked, false);
    for (const [start, end] of marked.positions(search, false)) {
      const index = marked.offset(start);
      yield { index, text: text.slice(index, marked.offset(end)) };
    }
  }

  /** A lookahead is a look behind in the reversed text. */
  #look({ behind, negated, body }: PatternLook, bit: number, marked: MarkedText): void {
    const found = new Uint8Array(marked.characters.length + 1);
    const search = this.#search(`(?<=${marked.anyMark}`, body, marked, !behind, ')');
    for (const [at] of marked.positions(search, !behind)) found[behind ? at : marked.characters.length - at] = 1;
    marked.set(bit, (at) => (found[at] === 1) !== negated);
  }

  #search(before: string, node: PatternNode, { anyMark, base }: MarkedText, reversed: boolean, after = ''): RE2JS {
    const writer: Re2Writer = {
      afterCharacter: anyMark,
      reversed,
      place: (place) => this.#behindMark(place, base),
      look: (look) => this.#behindMark(look, base),
    };
    const source = `${before}(?:${re2Source(node, writer)})${after}`;
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const engine = linearEngine();
    const compiled = engine.compile(source, engine.LOOKBEHINDS);
    this.#compiled.set(source, compiled);
    return compiled;
  }

  /** Holds after a mark that has the bit of this place. */
  #behindMark(node: PatternPlace | PatternLook, base: number): string {
    const bit = this.#marks.findIndex((mark) => isSame(mark, node));
    const codes = Array.from({ length: MARKS }, (_, mark) => mark).filter((mark) => (mark >> bit) & 1);
    return `(?<=[${codes.map((mark) => `\\x{${(base + mark).toString(16)}}`).join('')}])`;
  }
}

/** All places and lookarounds, inner ones before outer ones, each kind of place once. */
function marksOf(node: PatternNode): readonly (PatternPlace | PatternLook)[] {
  const found: (PatternPlace | PatternLook)[] = [];
  const visit = (part: PatternNode): void => {
    for (const inner of partsOf(part)) visit(inner);
    if (part.type !== 'place' && part.type !== 'look') return;
    if (!found.some((mark) => isSame(mark, part))) found.push(part);
  };
  visit(node);
  if (found.length > MAX_MARKS) throw new UnsupportedPattern(t('more than {0} lookarounds and boundaries', MAX_MARKS));
  return found;
}

function isSame(one: PatternPlace | PatternLook, other: PatternPlace | PatternLook): boolean {
  if (one.type === 'place' && other.type === 'place') return one.place === other.place && one.word === other.word;
  return one === other;
}

/** Whether a place is before the character `at`. */
function holdsAt({ place, word }: PatternPlace, characters: readonly string[]): (at: number) => boolean {
  const { length } = characters;
  const isWord = membership(word);
  const isBoundary = (at: number): boolean => isWord(characters[at - 1]) !== isWord(characters[at]);
  switch (place) {
    case 'start':
      return (at) => at === 0;
    case 'end':
      return (at) => at === length;
    case 'line-start':
      return (at) => at === 0 || characters[at - 1] === '\n';
    case 'line-end':
      return (at) => at === length || characters[at] === '\n';
    case 'end-or-final-newline':
      return (at) => at === length || (at === length - 1 && characters[at] === '\n');
    case 'boundary':
      return isBoundary;
    case 'no-boundary':
      return (at) => !isBoundary(at);
  }
}

/** Whether a character is in a class, given by its members as RE2 writes them. */
function membership(members: string): (character: string | undefined) => boolean {
  const known = new Map<string | undefined, boolean>([[undefined, false]]);
  const pattern = composePattern(`^[${members.replaceAll('\\x{', '\\u{')}]$`, 'v');
  return (character) => {
    const found = known.get(character);
    if (found !== undefined) return found;
    const isMember = pattern.test(character ?? '');
    known.set(character, isMember);
    return isMember;
  };
}

/** The characters of a text, with a mark before each and at the end. */
class MarkedText {
  readonly characters: readonly string[];
  /** The mark without a bit. */
  readonly base: number;
  readonly #marks: Uint8Array;
  /** Where each character begins in the text. */
  readonly #offsets: Uint32Array;

  constructor(text: string, source: string) {
    this.characters = Array.from(text);
    this.base = unusedMarks(text, source);
    this.#marks = new Uint8Array(this.characters.length + 1);
    this.#offsets = new Uint32Array(this.characters.length + 1);
    let offset = 0;
    for (const [at, { length }] of this.characters.entries()) {
      this.#offsets[at] = offset;
      offset += length;
    }
    this.#offsets[this.characters.length] = offset;
  }

  get anyMark(): string {
    return `[\\x{${this.base.toString(16)}}-\\x{${(this.base + MARKS - 1).toString(16)}}]`;
  }

  set(bit: number, holds: (at: number) => boolean): void {
    for (let at = 0; at < this.#marks.length; at += 1)
      if (holds(at)) this.#marks[at] = (this.#marks[at] ?? 0) | (1 << bit);
  }

  offset(at: number): number {
    return this.#offsets[at] ?? 0;
  }

  /** Where the matches of a pattern begin and end, counted in characters, from the end if reversed. */
  *positions(search: RE2JS, reversed: boolean): Iterable<readonly [start: number, end: number]> {
    const { length } = this.characters;
    // A mark has two units.
    const ends = new Uint32Array(length + 1);
    const parts: string[] = [];
    let written = 0;
    for (let at = 0; at <= length; at += 1) {
      const mark = String.fromCodePoint(this.base + (this.#marks[reversed ? length - at : at] ?? 0));
      const character = at === length ? '' : (this.characters[reversed ? length - 1 - at : at] ?? '');
      parts.push(mark, character);
      ends[at] = written + mark.length;
      written += mark.length + character.length;
    }
    const matcher = search.matcher(parts.join(''));
    let at = 0;
    while (matcher.find()) {
      while ((ends[at] ?? written) < matcher.start()) at += 1;
      const start = at;
      while ((ends[at] ?? written) < matcher.end()) at += 1;
      yield [start, at];
    }
  }
}

/** The first part of the private range that has no character of the text. */
function unusedMarks(text: string, source: string): number {
  for (let base = PRIVATE; base < PRIVATE + 64 * MARKS; base += MARKS) {
    const range = `[\\u{${base.toString(16)}}-\\u{${(base + MARKS - 1).toString(16)}}]`;
    if (!composePattern(range, 'u').test(text)) return base;
  }
  throw new PatternTooSlow(source, text.length);
}
