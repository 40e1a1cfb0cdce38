import { sketchSimilarity } from '../diff/similarity';
import type { Signature, Sketches } from './signature';

/** The number of texts that one search looks at. */
const MESSAGE_BUDGET = 400_000;
const MAX_RESULTS = 5;
/** Of requests with few texts, more are looked at closely: their sketches say less, and comparing them is quick. */
const FEW_TEXTS = 8;
const MAX_SHORT_RESULTS = 12;
/** The number of different texts of each side that are compared by their words. */
const MAX_CANDIDATES = 5;

/** Finds the most similar of many recorded requests, by the digests of their parts. */
export class NearestIndex {
  readonly #signatures: readonly Signature[];
  /** Small numbers for digests, by which the arrays below are indexed. */
  readonly #ids = new Map<number, number>();
  /** The recordings that contain a part, by its id. */
  readonly #holders: number[][] = [];
  readonly #sketches: (Sketch | undefined)[] = [];
  /** The messages and long parameters of each recording. */
  readonly #texts: readonly Int32Array[];

  constructor(signatures: readonly Signature[], sketches: Sketches) {
    this.#signatures = signatures;
    this.#texts = signatures.map((signature) =>
      Int32Array.from(textsOf(signature, sketches), (digest) => this.#idOf(digest)),
    );
    for (const [digest, id] of this.#ids) this.#sketches[id] = sketches.get(digest);
    for (const [recording, signature] of signatures.entries())
      for (const digest of new Set(partsOf(signature))) this.#holders[this.#idOf(digest)]?.push(recording);
  }

  /** The few most similar recordings of the same address, the best first. */
  find(wanted: Signature, sketches: Sketches, among?: ReadonlySet<number>): number[] {
    const shared = this.#shared(wanted);
    const scored = this.#signatures.flatMap((signature, recording): Scored[] => {
      if (signature.address !== wanted.address || among?.has(recording) === false) return [];
      // Dice's coefficient: the common parts, counted on both sides, as a share of all parts.
      return [{ recording, score: (2 * (shared[recording] ?? 0)) / (sizeOf(wanted) + sizeOf(signature) || 1) }];
    });
    scored.sort(byScore);
    const rescored = this.#addWordScores(wanted, scored, sketches).sort(byScore);
    // A recording that shares one part less than the best one is too far away.
    const least = (rescored[0]?.score ?? 0) - 1 / (sizeOf(wanted) || 1);
    const most = textsOf(wanted, sketches).length <= FEW_TEXTS ? MAX_SHORT_RESULTS : MAX_RESULTS;
    return rescored.slice(0, most).flatMap(({ recording, score }) => (score < least ? [] : [recording]));
  }

  #idOf(digest: number): number {
    const known = this.#ids.get(digest);
    if (known !== undefined) return known;
    const id = this.#holders.length;
    this.#ids.set(digest, id);
    this.#holders.push([]);
    return id;
  }

  #shared(wanted: Signature): Int32Array {
    const shared = new Int32Array(this.#signatures.length);
    for (const digest of new Set(partsOf(wanted)))
      for (const recording of this.#holders[this.#ids.get(digest) ?? -1] ?? [])
        shared[recording] = (shared[recording] ?? 0) + 1;
    return shared;
  }

  /** Adds to each score the similarity of the words in texts that are not equal. */
  #addWordScores(wanted: Signature, scored: readonly Scored[], sketches: Sketches): Scored[] {
    const own = textsOf(wanted, sketches).map((digest) => ({ id: this.#ids.get(digest) ?? -1, digest }));
    const isOwn = new Uint8Array(this.#holders.length);
    for (const { id } of own) if (id !== -1) isOwn[id] = 1;
    /** The recording in which a message was seen last. */
    const seenIn = new Int32Array(this.#holders.length).fill(-1);
    let budget = MESSAGE_BUDGET;
    const rescored: Scored[] = [];
    for (const { recording, score } of scored) {
      const texts = this.#texts[recording];
      const signature = this.#signatures[recording];
      if (texts === undefined || signature === undefined || budget < 0) break;
      budget -= texts.length;
      const others: Sketch[] = [];
      for (const id of texts) {
        seenIn[id] = recording;
        if (isOwn[id] === 0 && others.length < MAX_CANDIDATES) others.push(this.#sketches[id] ?? []);
      }
      const left = others.length === 0 ? [] : own.filter(({ id }) => id === -1 || seenIn[id] !== recording);
      const sum = totalSimilarity(
        left.slice(0, MAX_CANDIDATES).map(({ digest }) => sketches.get(digest) ?? []),
        others,
      );
      rescored.push({ recording, score: score + (2 * sum) / (sizeOf(wanted) + sizeOf(signature) || 1) });
    }
    return rescored;
  }
}

/** The digests of the parts that are compared by their words: all messages, and the parameters with a sketch. */
function textsOf({ messages, settings }: Signature, sketches: Sketches): readonly number[] {
  return [...messages, ...settings.filter((digest) => sketches.has(digest))];
}

/** A sketch is incomplete, so messages with equal sketches count less than equal messages. */
const SKETCH_WEIGHT = 0.98;

/** The total similarity of messages on both sides, bounded so that no message counts for two. */
function totalSimilarity(left: readonly Sketch[], right: readonly Sketch[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  const rows = new Float64Array(left.length);
  const columns = new Float64Array(right.length);
  for (const [i, words] of left.entries())
    for (const [j, others] of right.entries()) {
      const similarity = sketchSimilarity(words, others);
      rows[i] = Math.max(rows[i] ?? 0, similarity);
      columns[j] = Math.max(columns[j] ?? 0, similarity);
    }
  return SKETCH_WEIGHT * Math.min(total(rows), total(columns));
}

function total(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

type Sketch = readonly number[];

interface Scored {
  readonly recording: number;
  readonly score: number;
}

function byScore(left: Scored, right: Scored): number {
  return right.score - left.score || left.recording - right.recording;
}

function sizeOf({ messages, tools, settings }: Signature): number {
  return messages.length + tools.length + settings.length;
}

function partsOf({ messages, tools, settings }: Signature): readonly number[] {
  return [...messages, ...tools, ...settings];
}
