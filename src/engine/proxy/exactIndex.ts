import { createHash } from 'node:crypto';

/** The key that equal requests share: the SHA-256 of method, path and body, as 32 characters of Latin-1. */
export function exactKey(method: string, path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('binary');
}

/** The SHA-256 of a text, as 32 characters of Latin-1. */
export function sha256Binary(text: string): string {
  return createHash('sha256').update(text).digest('binary');
}

/** Recordings of one request that were served to a session. */
export interface ServedRecordings {
  readonly places: readonly number[];
  readonly count: number;
  readonly sessionId: string;
}

/** The places of the recordings with a key, in their order. */
export type FindPlaces = (key: string) => readonly number[];

/** Finds places by the keys of all recordings. */
export function placesByKey(keys: readonly (string | undefined)[]): FindPlaces {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return (key) => places.get(key) ?? [];
}

/** Recordings by the exact bytes of their requests. Equal ones are taken in recording order, in each session. */
export class ExactIndex {
  readonly #find: FindPlaces;
  /** The lists of the keys that were looked for. */
  readonly #places = new Map<string, readonly number[]>();
  /** How many were taken, by session and key. */
  readonly #taken = new Map<string, Map<string, number>>();
  readonly #repeat: boolean;

  /** With `repeat`, the last of equal recordings is taken again and again. */
  constructor(find: FindPlaces, repeat: boolean) {
    this.#find = find;
    this.#repeat = repeat;
  }

  /** The recordings of exactly this request, in their order; always the same list for the same key. */
  find(key: string): readonly number[] | undefined {
    return this.#listOf(key);
  }

  /** The next recording of exactly this request; undefined if there is none, or none is left. */
  take(key: string, sessionId = ''): number | undefined {
    const places = this.#listOf(key);
    if (places === undefined) return undefined;
    const counts = this.#countsOf(sessionId);
    const count = counts.get(key) ?? 0;
    const index = places[this.#repeat ? Math.min(count, places.length - 1) : count];
    if (index !== undefined) counts.set(key, count + 1);
    return index;
  }

  /** Everything that `take` has served so far. */
  served(): ServedRecordings[] {
    return [...this.#taken].flatMap(([sessionId, counts]) =>
      [...counts].map(([key, count]) => {
        const places = this.#listOf(key) ?? [];
        return { places, count: Math.min(count, places.length), sessionId };
      }),
    );
  }

  #listOf(key: string): readonly number[] | undefined {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const places = this.#find(key);
    if (places.length === 0) return undefined;
    this.#places.set(key, places);
    return places;
  }

  #countsOf(sessionId: string): Map<string, number> {
    const known = this.#taken.get(sessionId);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    this.#taken.set(sessionId, counts);
    return counts;
  }
}
