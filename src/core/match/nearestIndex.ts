import { sketchSimilarity } from '../diff/similarity';
import type { Signature, Sketches } from './signature';

/** A number of messages that is looked at quickly. */
const ENOUGH_MESSAGES = 400_000;
const MAX_RESULTS = 3;
/** So many messages that differ are likened to each other. */
const MAX_CANDIDATES = 5;

/** Finds what is most alike among many recorded requests, by the digests of their parts. */
export class NearestIndex {
  readonly #signatures: readonly Signature[];
  /** Small numbers for digests: everything below is told by them. */
  readonly #ids = new Map<number, number>();
  /** The recordings in which a part stands, by its id. */
  readonly #holders: number[][] = [];
  readonly #sketches: (Sketch | undefined)[] = [];
  /** The messages of each recording. */
  readonly #messages: readonly Int32Array[];

  constructor(signatures: readonly Signature[], sketches: Sketches) {
    this.#signatures = signatures;
    this.#messages = signatures.map(({ messages }) => Int32Array.from(messages, (digest) => this.#idOf(digest)));
    for (const [digest, id] of this.#ids) this.#sketches[id] = sketches.get(digest);
    for (const [recording, signature] of signatures.entries())
      for (const digest of new Set(partsOf(signature))) this.#holders[this.#idOf(digest)]?.push(recording);
  }

  /** The few that are most alike, the best first, of those at the same address. */
  find(wanted: Signature, sketchOf: (message: number) => Sketch): number[] {
    const shared = this.#shared(wanted);
    const scored = this.#signatures.flatMap((signature, recording): Scored[] => {
      if (signature.address !== wanted.address) return [];
      // Dice: twice what is common, of both.
      return [{ recording, score: (2 * (shared[recording] ?? 0)) / (sizeOf(wanted) + sizeOf(signature) || 1) }];
    });
    scored.sort(byScore);
    const likened = this.#likeMessages(wanted, scored, sketchOf).sort(byScore);
    // What has a whole part less in common than the best is not looked at again.
    const least = (likened[0]?.score ?? 0) - 1 / (sizeOf(wanted) || 1);
    return likened.slice(0, MAX_RESULTS).flatMap(({ recording, score }) => (score < least ? [] : [recording]));
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

  /** Counts the words of the messages that are not the same: one message less in common is made up by them. */
  #likeMessages(wanted: Signature, scored: readonly Scored[], sketchOf: (message: number) => Sketch): Scored[] {
    const mine = wanted.messages.map((digest, message) => ({ id: this.#ids.get(digest) ?? -1, message }));
    const words: (Sketch | undefined)[] = [];
    const wordsOf = (message: number): Sketch => {
      const known = words[message] ?? sketchOf(message);
      words[message] = known;
      return known;
    };
    const isMine = new Uint8Array(this.#holders.length);
    for (const { id } of mine) if (id !== -1) isMine[id] = 1;
    /** The recording that a message was seen in last. */
    const seenIn = new Int32Array(this.#holders.length).fill(-1);
    let budget = ENOUGH_MESSAGES;
    const likened: Scored[] = [];
    for (const { recording, score } of scored) {
      const messages = this.#messages[recording];
      const signature = this.#signatures[recording];
      if (messages === undefined || signature === undefined || budget < 0) break;
      budget -= messages.length;
      const theirs: Sketch[] = [];
      for (const id of messages) {
        seenIn[id] = recording;
        if (isMine[id] === 0 && theirs.length < MAX_CANDIDATES) theirs.push(this.#sketches[id] ?? []);
      }
      const left = theirs.length === 0 ? [] : mine.filter(({ id }) => id === -1 || seenIn[id] !== recording);
      const sum = totalSimilarity(
        left.slice(0, MAX_CANDIDATES).map(({ message }) => wordsOf(message)),
        theirs,
      );
      likened.push({ recording, score: score + (2 * sum) / (sizeOf(wanted) + sizeOf(signature) || 1) });
    }
    return likened;
  }
}

/** Never as good as the same: a sketch does not tell all. */
const MIN_SIMILARITY = 0.98;

/** How much of what is left on both sides is alike: no message can be the partner of two. */
function totalSimilarity(left: readonly Sketch[], right: readonly Sketch[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  const rows = new Float64Array(left.length);
  const columns = new Float64Array(right.length);
  for (const [i, words] of left.entries())
    for (const [j, others] of right.entries()) {
      const alike = sketchSimilarity(words, others);
      rows[i] = Math.max(rows[i] ?? 0, alike);
      columns[j] = Math.max(columns[j] ?? 0, alike);
    }
  return MIN_SIMILARITY * Math.min(total(rows), total(columns));
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
