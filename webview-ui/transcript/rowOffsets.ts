/**
 * Where each of a list of things begins when all stand below each other, while their heights change one by one: a
 * Fenwick tree ("A New Data Structure for Cumulative Frequency Tables", 1994). Every call takes logarithmic time.
 */
export class RowOffsets {
  readonly #heights: number[] = [];
  /** From 1: the sum of as many heights, up to and with this one, as its lowest bit says. */
  readonly #sums: number[] = [0];

  get count(): number {
    return this.#heights.length;
  }

  /** How tall all are together. */
  get whole(): number {
    return this.offset(this.count);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  push(height: number): void {
    const end = this.#heights.push(height);
    this.#sums.push(height + this.offset(end - 1) - this.offset(end - lowestBit(end)));
  }

  /** Forgets what comes after the first `count`. */
  cut(count: number): void {
    this.#heights.length = count;
    this.#sums.length = count + 1;
  }

  setHeight(index: number, height: number): void {
    const difference = height - this.height(index);
    this.#heights[index] = height;
    for (let end = index + 1; end <= this.count; end += lowestBit(end))
      this.#sums[end] = (this.#sums[end] ?? 0) + difference;
  }

  /** How tall the first `index` are together. */
  offset(index: number): number {
    let sum = 0;
    for (let end = index; end > 0; end -= lowestBit(end)) sum += this.#sums[end] ?? 0;
    return sum;
  }

  /** The one that covers a place; the first or the last for one outside. */
  at(place: number): number {
    let passed = 0;
    let left = place;
    for (let step = highestBit(this.count); step > 0; step >>= 1) {
      const sum = this.#sums[passed + step];
      if (sum === undefined || sum > left) continue;
      passed += step;
      left -= sum;
    }
    return Math.max(0, Math.min(passed, this.count - 1));
  }
}

function lowestBit(index: number): number {
  return index & -index;
}

function highestBit(count: number): number {
  return count === 0 ? 0 : 1 << (31 - Math.clz32(count));
}
