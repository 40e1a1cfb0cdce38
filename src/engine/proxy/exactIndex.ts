import { createHash } from 'node:crypto';

/** What equal requests have in common: a SHA-256 of method, path and body, as 32 characters of Latin-1. */
export function exactKey(method: string, path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('binary');
}

/** Of a text, as characters of Latin-1. */
export function sha256Binary(text: string): string {
  return createHash('sha256').update(text).digest('binary');
}

export interface ServedRecording {
  readonly index: number;
  readonly lane: string;
}

/** Recordings by the exact bytes of their requests. Among equals the first recorded is the first taken, in each lane. */
export class ExactIndex {
  readonly #places = new Map<string, number[]>();
  /** By lane and key, how many were taken. */
  readonly #taken = new Map<string, Map<string, number>>();
  readonly #repeat: boolean;

  /** With `repeat`, the last of equal recordings is served again and again. */
  constructor(repeat: boolean) {
    this.#repeat = repeat;
  }

  add(key: string, index: number): void {
    const places = this.#places.get(key);
    if (places === undefined) this.#places.set(key, [index]);
    else places.push(index);
  }

  /** The next recording of exactly this request; undefined where there is none, or none any more. */
  take(key: string, lane = ''): number | undefined {
    const places = this.#places.get(key);
    if (places === undefined) return undefined;
    const counts = this.#countsOf(lane);
    const count = counts.get(key) ?? 0;
    const index = places[this.#repeat ? Math.min(count, places.length - 1) : count];
    if (index !== undefined) counts.set(key, count + 1);
    return index;
  }

  /** What was taken so far, each recording once a lane. */
  served(): ServedRecording[] {
    return [...this.#taken].flatMap(([lane, counts]) =>
      [...counts].flatMap(([key, count]) =>
        (this.#places.get(key) ?? []).slice(0, count).map((index) => ({ index, lane })),
      ),
    );
  }

  #countsOf(lane: string): Map<string, number> {
    const known = this.#taken.get(lane);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    this.#taken.set(lane, counts);
    return counts;
  }
}
