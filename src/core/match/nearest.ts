import type { Signature, Sketches } from './signature';
import { likeness } from './sketch';

/** A number of messages that is looked at quickly. */
const ENOUGH_MESSAGES = 200_000;
const FINALISTS = 8;
/** So many messages that differ are likened to each other. */
const MOST = 5;

/** Finds what is most alike among many recorded requests, by the digests of their parts. */
export class NearestIndex {
  readonly #signatures: readonly Signature[];
  readonly #sketches: Sketches;
  /** The recordings in which a part stands. */
  readonly #holders = new Map<number, number[]>();

  constructor(signatures: readonly Signature[], sketches: Sketches) {
    this.#signatures = signatures;
    this.#sketches = sketches;
    for (const [recording, signature] of signatures.entries())
      for (const digest of new Set(partsOf(signature))) {
        const holders = this.#holders.get(digest);
        if (holders === undefined) this.#holders.set(digest, [recording]);
        else holders.push(recording);
      }
  }

  /** The few that are most alike, the best first, of those at the same address. */
  find(wanted: Signature, sketches: Sketches): number[] {
    const shared = this.#shared(wanted);
    const size = partsOf(wanted).length;
    const scored = this.#signatures.flatMap((signature, recording) => {
      if (signature.address !== wanted.address) return [];
      // Dice: twice what is common, of both.
      return [{ recording, score: (2 * (shared[recording] ?? 0)) / (size + partsOf(signature).length || 1) }];
    });
    scored.sort((left, right) => right.score - left.score || left.recording - right.recording);
    const tied = this.#likeMessages(wanted, scored, sketches);
    return tied.slice(0, FINALISTS).map(({ recording }) => recording);
  }

  #shared(wanted: Signature): Int32Array {
    const shared = new Int32Array(this.#signatures.length);
    for (const digest of new Set(partsOf(wanted)))
      for (const recording of this.#holders.get(digest) ?? []) shared[recording] = (shared[recording] ?? 0) + 1;
    return shared;
  }

  /** Orders by the words of the messages that are not the same: one message less in common is made up by them. */
  #likeMessages(wanted: Signature, scored: readonly Scored[], sketches: Sketches): Scored[] {
    const mine = new Set(wanted.messages);
    let budget = ENOUGH_MESSAGES;
    const best: Scored[] = [];
    for (const { recording, score } of scored) {
      const signature = this.#signatures[recording];
      if (signature === undefined || budget < 0) break;
      budget -= signature.messages.length;
      const size = partsOf(wanted).length + partsOf(signature).length;
      const theirs = new Set(signature.messages);
      const likened = this.#likeness(
        wanted.messages.filter((digest) => !theirs.has(digest)).map((digest) => sketches.get(digest) ?? []),
        signature.messages.filter((digest) => !mine.has(digest)),
      );
      best.push({ recording, score: score + (2 * likened) / (size || 1) });
    }
    return best.sort((left, right) => right.score - left.score || left.recording - right.recording);
  }

  /** How much of what is left on both sides is alike: no message can be the partner of two. */
  #likeness(mine: readonly Sketch[], theirs: readonly number[]): number {
    const [left, right] = [
      mine.slice(0, MOST),
      theirs.slice(0, MOST).map((digest) => this.#sketches.get(digest) ?? []),
    ];
    const best = (words: Sketch, others: readonly Sketch[]) =>
      Math.max(0, ...others.map((other) => likeness(words, other)));
    const sum = (from: readonly Sketch[], to: readonly Sketch[]) =>
      from.reduce((total, words) => total + best(words, to), 0);
    return Math.min(sum(left, right), sum(right, left));
  }
}

type Sketch = readonly number[];

interface Scored {
  readonly recording: number;
  readonly score: number;
}

function partsOf({ messages, tools, settings }: Signature): readonly number[] {
  return [...messages, ...tools, ...settings];
}
