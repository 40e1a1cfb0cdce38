import { nonBlankLines } from '../../../json/jsonLines';
import type { Interaction } from '../../../model/interaction';
import type { TapePieces } from '../../format';
import { LineReader, readTapedeck, type TapedeckEntry } from './read';

/** What may refer to an earlier request, within its lines. */
const REFERENCE = /"(?:\$from|\$same|same)"\s*:\s*(\d{1,9})/g;

/** Whether the lines of each interaction are together, and named by its position: so each can be read without the others between. */
export function isInOrder(interactions: readonly Pick<Interaction, 'id' | 'source'>[]): boolean {
  return interactions.every(
    ({ id, source }, at) => id === `${at + 1}` && source.start >= (interactions[at - 1]?.source.end ?? 0),
  );
}

/** The entries of a tape that is in order. Each is read when it is needed, with those that it refers to. */
export class CheckedEntries {
  readonly #pieces: TapePieces;
  readonly #reader = new LineReader();
  /** By position, whether the lines of an entry were passed to the reader. */
  readonly #isRead: Uint8Array;
  /** Of the whole text, where a piece of it was not what it should be. */
  #whole: readonly TapedeckEntry[] | undefined;

  constructor(pieces: TapePieces) {
    this.#pieces = pieces;
    this.#isRead = new Uint8Array(pieces.count);
  }

  entry(at: number): TapedeckEntry | undefined {
    if (this.#whole !== undefined) return this.#whole[at];
    for (const [needed, text] of this.#neededFor(at)) {
      this.#isRead[needed] = 1;
      const source = this.#pieces.sourceOf(needed);
      for (const { start, end } of nonBlankLines(text)) this.#reader.line(text.slice(start, end), source);
    }
    const entry = this.#reader.entry(at + 1);
    if (entry !== undefined && this.#reader.hasNoProblem) return entry;
    this.#whole = readTapedeck(this.#pieces.whole()).entries;
    return this.#whole[at];
  }

  /** The entries that are still to be read for this one, in their order: those that they refer to come before them. */
  #neededFor(at: number): readonly (readonly [at: number, text: string])[] {
    const needed = new Map<number, string>();
    const left = this.#isRead[at] === 1 ? [] : [at];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const text = this.#pieces.textOf(one);
      needed.set(one, text);
      for (const [, number] of text.matchAll(REFERENCE)) {
        const earlier = Number(number) - 1;
        if (earlier >= 0 && earlier < one && this.#isRead[earlier] === 0 && !needed.has(earlier)) left.push(earlier);
      }
    }
    return [...needed].sort(([left], [right]) => left - right);
  }
}
