import { sketchSimilarity } from '../diff/similarity';
import { lengthAt, type PartIndex, partsOf, placeOfPart, textsOf } from './partIndex';
import type { Signature, Sketches } from './signature';

/** The number of texts that one search looks at. */
const MESSAGE_BUDGET = 400_000;
const MAX_RESULTS = 5;
/** Of requests with few texts, more are looked at closely: their sketches say less, and comparing them is quick. */
const FEW_TEXTS = 8;
const MAX_SHORT_RESULTS = 12;
/** The number of different texts of each side that are compared by their words. */
const MAX_CANDIDATES = 5;

/**
 * Finds the most similar of many recorded requests, by the digests of their parts. A process's first search runs uncompiled, so these
 * are plain loops over numbers.
 */
export class NearestIndex {
  readonly #parts: PartIndex;
  /** By recording, the number of its parts. */
  readonly #sizes: Uint32Array;

  constructor(parts: PartIndex) {
    this.#parts = parts;
    this.#sizes = sizesOf(parts);
  }

  /** The few most similar recordings of the same address, the best first. */
  find(wanted: Signature, sketches: Sketches, among?: ReadonlySet<number>): number[] {
    const { texts } = this.#parts;
    const sizes = this.#sizes;
    const size = partsOf(wanted).length;
    const candidates = this.#candidates(wanted.address, among);
    const shared = this.#shared(wanted);
    // Dice's coefficient: the common parts, counted on both sides, as a share of all parts.
    const scoreOf = (recording: number): number =>
      (2 * (shared[recording] ?? 0)) / (size + (sizes[recording] ?? 0) || 1);
    // Beyond the budget, those that share most are looked at.
    if (texts.items.length > MESSAGE_BUDGET)
      candidates.sort((left, right) => scoreOf(right) - scoreOf(left) || left - right);
    const own = textsOf(wanted, sketches);
    const best = new BestScores(own.length <= FEW_TEXTS ? MAX_SHORT_RESULTS : MAX_RESULTS);
    const words = new WordComparison(this.#parts, own, sketches);
    let budget = MESSAGE_BUDGET;
    for (const recording of candidates) {
      if (budget < 0) break;
      budget -= lengthAt(texts, recording);
      const similar = words.similarity(recording);
      best.add(recording, scoreOf(recording) + (2 * similar) / (size + (sizes[recording] ?? 0) || 1));
    }
    // A recording that shares one part less than the best one is too far away.
    return best.within(1 / (size || 1));
  }

  #candidates(address: string, among: ReadonlySet<number> | undefined): number[] {
    const { addresses, names } = this.#parts;
    const wanted = names.indexOf(address);
    const candidates: number[] = [];
    for (let recording = 0; recording < addresses.length; recording += 1)
      if (addresses[recording] === wanted && among?.has(recording) !== false) candidates.push(recording);
    return candidates;
  }

  /** By recording, the number of parts that it has in common with a request. */
  #shared(wanted: Signature): Uint32Array {
    const { starts, items } = this.#parts.holders;
    const shared = new Uint32Array(this.#sizes.length);
    for (const digest of new Set(partsOf(wanted))) {
      const part = placeOfPart(this.#parts, digest);
      const end = part === -1 ? 0 : (starts[part + 1] ?? 0);
      for (let at = starts[part] ?? 0; at < end; at += 1) {
        const recording = items[at] ?? 0;
        shared[recording] = (shared[recording] ?? 0) + 1;
      }
    }
    return shared;
  }
}

function sizesOf({ messages, tools, settings }: PartIndex): Uint32Array {
  const sizes = messages.slice();
  for (let at = 0; at < sizes.length; at += 1)
    sizes[at] = (sizes[at] ?? 0) + lengthAt(tools, at) + lengthAt(settings, at);
  return sizes;
}

/** A sketch is incomplete, so messages with equal sketches count less than equal messages. */
const SKETCH_WEIGHT = 0.98;

/** Compares the texts of a request with those of recordings, as far as they are not equal, by their words. */
class WordComparison {
  readonly #parts: PartIndex;
  readonly #own: readonly { readonly part: number; readonly sketch: readonly number[] }[];
  readonly #isOwn: Uint8Array;
  /** By part, the recording in which a text was seen last, from 1. */
  readonly #seenIn: Uint32Array;
  readonly #others = new Uint32Array(MAX_CANDIDATES);
  readonly #left: (readonly number[])[] = [];
  readonly #rows = new Float64Array(MAX_CANDIDATES);
  readonly #columns = new Float64Array(MAX_CANDIDATES);

  constructor(parts: PartIndex, texts: readonly number[], sketches: Sketches) {
    this.#parts = parts;
    this.#own = texts.map((digest) => ({ part: placeOfPart(parts, digest), sketch: sketches.get(digest) ?? [] }));
    this.#isOwn = new Uint8Array(parts.digests.length);
    this.#seenIn = new Uint32Array(parts.digests.length);
    for (const { part } of this.#own) if (part !== -1) this.#isOwn[part] = 1;
  }

  /** The total similarity of the texts that only one side has, bounded so that no text counts for two. */
  similarity(recording: number): number {
    const others = this.#findOthers(recording);
    if (others === 0) return 0;
    const left = this.#left;
    left.length = 0;
    for (const { part, sketch } of this.#own)
      if (left.length < MAX_CANDIDATES && (part === -1 || this.#seenIn[part] !== recording + 1)) left.push(sketch);
    if (left.length === 0) return 0;
    const { starts, items } = this.#parts.sketches;
    const rows = this.#rows.fill(0);
    const columns = this.#columns.fill(0);
    for (let row = 0; row < left.length; row += 1)
      for (let column = 0; column < others; column += 1) {
        const part = this.#others[column] ?? 0;
        const similarity = sketchSimilarity(left[row] ?? [], items, starts[part], starts[part + 1]);
        if (similarity > (rows[row] ?? 0)) rows[row] = similarity;
        if (similarity > (columns[column] ?? 0)) columns[column] = similarity;
      }
    return SKETCH_WEIGHT * Math.min(total(rows), total(columns));
  }

  /** Finds the first texts of a recording that the request does not have; returns how many. */
  #findOthers(recording: number): number {
    const { starts, items } = this.#parts.texts;
    const end = starts[recording + 1] ?? 0;
    let count = 0;
    for (let at = starts[recording] ?? 0; at < end; at += 1) {
      const part = items[at] ?? 0;
      this.#seenIn[part] = recording + 1;
      if (count < MAX_CANDIDATES && this.#isOwn[part] === 0) {
        this.#others[count] = part;
        count += 1;
      }
    }
    return count;
  }
}

function total(numbers: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < MAX_CANDIDATES; at += 1) sum += numbers[at] ?? 0;
  return sum;
}

/** The recordings with the highest scores, the best first; of equal scores, the first recording. */
class BestScores {
  readonly #most: number;
  readonly #recordings: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(recording: number, score: number): void {
    let at = this.#recordings.length;
    if (at === this.#most && score < (this.#scores[at - 1] ?? 0)) return;
    while (at > 0 && this.#isBehind(at - 1, recording, score)) at -= 1;
    if (at === this.#most) return;
    this.#recordings.splice(at, 0, recording);
    this.#scores.splice(at, 0, score);
    if (this.#recordings.length > this.#most) {
      this.#recordings.pop();
      this.#scores.pop();
    }
  }

  /** Those that are no more than `distance` behind the best. */
  within(distance: number): number[] {
    const least = (this.#scores[0] ?? 0) - distance;
    return this.#recordings.filter((_, at) => (this.#scores[at] ?? 0) >= least);
  }

  #isBehind(at: number, recording: number, score: number): boolean {
    const known = this.#scores[at] ?? 0;
    return known < score || (known === score && (this.#recordings[at] ?? 0) > recording);
  }
}
