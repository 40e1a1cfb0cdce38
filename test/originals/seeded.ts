/** A source of seeded choices, so that a run can be repeated. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Some items, in their order; at least `least`. */
  some<T>(items: readonly T[], least = 0): T[] {
    const count = least + this.below(items.length - least + 1);
    const left = items.map((_, index) => index);
    while (left.length > count) left.splice(this.below(left.length), 1);
    return left.map((index) => items[index] as T);
  }
}
