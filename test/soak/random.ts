/** A small seeded generator (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

/** One seed for the run `run` of `name`, so that any run can be repeated alone. */
export function runSeed(seed: number, name: string, run: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (const char of `${name}/${run}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash ^ (hash >>> 13);
}
