import * as crypto from 'node:crypto';

/** Absent in the first releases of Node 20. */
const { createHash, hash } = crypto;
/** Where what is hashed at once is put together: most requests fit. */
const together = Buffer.allocUnsafeSlow(64 * 1024);

/** The key that equal requests share: the SHA-256 of method, path and body, as 32 characters of Latin-1. */
export function exactKey(method: string, path: string, body: Uint8Array): string {
  const start = `${method} ${path}\n`;
  const length = Buffer.byteLength(start) + body.length;
  if (hash === undefined || length > together.length)
    return createHash('sha256').update(start).update(body).digest('binary');
  together.set(body, together.write(start));
  return hash('sha256', together.subarray(0, length), 'binary');
}

/** The SHA-256 of a text, as 32 characters of Latin-1. */
export function sha256Binary(text: string): string {
  return createHash('sha256').update(text).digest('binary');
}

/** Recordings of one request that were served to a session. */
interface ServedRecordings {
  readonly places: readonly number[];
  readonly count: number;
  readonly sessionId: string;
}

/** The places of the recordings with a key, in their order; always the same list for the same key. */
export type FindPlaces = (key: string) => readonly number[];

/** The recordings of one request, and how many each session was served. */
interface FoundRecordings {
  /** Always the same list for the same key. */
  readonly places: readonly number[];
  readonly taken: Map<string, number>;
}

/** Recordings by the exact bytes of their requests. Equal ones are taken in recording order, in each session. */
export class ExactIndex {
  readonly #find: FindPlaces;
  /** By the keys that were looked for. */
  readonly #found = new Map<string, FoundRecordings>();
  readonly #repeat: boolean;

  /** With `repeat`, the last of equal recordings is taken again and again. */
  constructor(find: FindPlaces, repeat: boolean) {
    this.#find = find;
    this.#repeat = repeat;
  }

  /** The recordings of exactly this request, in their order; always the same list for the same key. */
  find(key: string): readonly number[] | undefined {
    return this.#recordings(key)?.places;
  }

  /** The next recording of exactly this request; undefined if there is none, or none is left. */
  take(key: string, sessionId = ''): number | undefined {
    const found = this.#recordings(key);
    if (found === undefined) return undefined;
    const { places, taken } = found;
    const count = taken.get(sessionId) ?? 0;
    const index = places[this.#repeat ? Math.min(count, places.length - 1) : count];
    if (index !== undefined) taken.set(sessionId, count + 1);
    return index;
  }

  /** Everything that `take` has served so far. */
  served(): ServedRecordings[] {
    return [...this.#found.values()].flatMap(({ places, taken }) =>
      [...taken].map(([sessionId, count]) => ({ places, count: Math.min(count, places.length), sessionId })),
    );
  }

  #recordings(key: string): FoundRecordings | undefined {
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const places = this.#find(key);
    if (places.length === 0) return undefined;
    const found = { places, taken: new Map<string, number>() };
    this.#found.set(key, found);
    return found;
  }
}
