import { nonBlankLines } from '../../../json/jsonLines';
import type { HttpRequest } from '../../../model/http';
import type { Interaction } from '../../../model/interaction';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { type InteractionReading, LazyInteraction, storedHttp } from '../../lazyTape';
import type { PieceReader, PiecewiseTape, TapePieces } from '../../pieces';
import {
  LineReader,
  NO_RESPONSE,
  type RequestLine,
  readEntry,
  readTapedeck,
  storedEntry,
  type TapedeckEntry,
} from './read';

/** What may refer to an earlier request, within its lines. */
export const REFERENCE = /"(?:\$from|\$same|same)"\s*:\s*(\d{1,9})/g;

/** Whether the lines of each interaction are together, and named by its position: so each can be read without the others between. */
function isInOrder(interactions: readonly Interaction[]): boolean {
  return interactions.every(
    (one, at) => storedHttp(one).id === `${at + 1}` && one.source.start >= (interactions[at - 1]?.source.end ?? 0),
  );
}

/** The entries of a tape that is in order. Each is read when it is needed, with the requests that its own refers to. */
class CheckedEntries {
  readonly #pieces: TapePieces;
  readonly #reader = new LineReader();
  /** By position, how many lines of a piece were passed to the reader. */
  readonly #read: Uint32Array;
  /** Of the whole text, where a piece of it was not what it should be. */
  #whole: readonly TapedeckEntry[] | undefined;

  constructor(pieces: TapePieces) {
    this.#pieces = pieces;
    this.#read = new Uint32Array(pieces.count);
  }

  /** Undefined for what is no entry of a tape in order. */
  entry(at: number): TapedeckEntry | undefined {
    const entry = this.#known(at);
    if (this.#whole !== undefined) return entry;
    this.#pass(at, this.#pieces.textOf(at), Number.POSITIVE_INFINITY);
    return this.#checked(at);
  }

  /** Its request, without reading its response. */
  request(at: number): RequestLine | undefined {
    return this.#known(at)?.request;
  }

  /** An entry with its request at least. */
  #known(at: number): TapedeckEntry | undefined {
    if (this.#whole !== undefined) return this.#whole[at];
    for (const [needed, text] of this.#neededFor(at)) this.#pass(needed, text, 1);
    return this.#checked(at);
  }

  #checked(at: number): TapedeckEntry | undefined {
    const entry = this.#reader.entry(at + 1);
    if (entry !== undefined && this.#reader.hasNoProblem) return entry;
    this.#whole = readTapedeck(this.#pieces.whole()).entries;
    return this.#whole[at];
  }

  /** Passes the first lines of a piece to the reader, as far as it has not read them. */
  #pass(at: number, text: string, count: number): void {
    const lines = nonBlankLines(text, 0, count);
    const source = this.#pieces.sourceOf(at);
    for (const { start, end } of lines.slice(this.#read[at])) this.#reader.line(text.slice(start, end), source);
    this.#read[at] = Math.max(lines.length, this.#read[at] ?? 0);
  }

  /** The pieces whose requests are still to be read for this one, in their order: those that it refers to come before it. */
  #neededFor(at: number): readonly (readonly [at: number, text: string])[] {
    const needed = new Map<number, string>();
    const left = this.#read[at] === 0 ? [at] : [];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const text = this.#pieces.textOf(one);
      needed.set(one, text);
      const [request] = nonBlankLines(text, 0, 1);
      for (const [, number] of text.slice(0, request?.end).matchAll(REFERENCE)) {
        const earlier = Number(number) - 1;
        if (earlier >= 0 && earlier < one && this.#read[earlier] === 0 && !needed.has(earlier)) left.push(earlier);
      }
    }
    return [...needed].sort(([left], [right]) => left - right);
  }
}

function readPieces(pieces: TapePieces): PiecewiseTape {
  const entries = new CheckedEntries(pieces);
  const budget = new BodyBudget(pieces.length);
  let interactions: readonly Interaction[] | undefined;
  const interaction = (index: number): Interaction => {
    const source = pieces.sourceOf(index);
    const read = (): InteractionReading => {
      const entry = entries.entry(index);
      return entry === undefined ? { content: { kind: 'llm' }, problems: [] } : readEntry(entry, source, budget);
    };
    return new LazyInteraction(index, source, read, () => {
      const entry = entries.entry(index);
      return entry && storedEntry(entry, source, budget);
    });
  };
  const request = (index: number): HttpRequest | undefined => {
    const found = entries.request(index)?.http?.();
    if (found !== undefined) budget.cover({ ...found, ...NO_RESPONSE }, pieces.sourceOf(index).start);
    return found;
  };
  return {
    format: 'tapedeck',
    request,
    // Who compares requests needs none of them.
    get interactions() {
      interactions ??= Array.from({ length: pieces.count }, (_, index) => interaction(index));
      return interactions;
    },
  };
}

/** Reads the interactions of a tape that is in order by themselves. */
export const tapedeckPieces: PieceReader = { fits: isInOrder, read: readPieces };
