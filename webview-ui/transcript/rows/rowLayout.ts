import { commonPrefixLength, type Row } from './rows';

/** A half-open range of rows. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Which rows there are, and where each begins. Heights are guessed until they have been measured. */
export class RowLayout {
  readonly #offsets = new RowOffsets();
  readonly #measured = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #rows: readonly Row[] = [];

  /** Takes the rows as they are now. Those that begin the list as they did before are not looked at again. */
  show(rows: readonly Row[], guess: (row: Row) => number): void {
    if (rows === this.#rows) return;
    const same = commonPrefixLength(rows, this.#rows);
    for (const { view } of this.#rows.slice(same)) this.#places.delete(view.key);
    this.#offsets.cut(same);
    for (const row of rows.slice(same)) {
      const { key } = row.view;
      this.#places.set(key, this.#offsets.count);
      this.#offsets.push(this.#measured.get(key) ?? guess(row));
    }
    this.#rows = rows;
  }

  /** Says how tall a row is, in pixels. False where that was known. */
  measure(key: string, height: number): boolean {
    if (Math.abs((this.#measured.get(key) ?? 0) - height) < 1) return false;
    this.#measured.set(key, height);
    const place = this.#places.get(key);
    if (place !== undefined) this.#offsets.setHeight(place, height);
    return true;
  }

  /** The place of a row; undefined while it is not among them. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** How tall a row is, or is likely to be, in pixels. */
  height(key: string): number {
    const place = this.#places.get(key);
    return place === undefined ? 0 : this.#offsets.height(place);
  }

  /** How much there is above a row, in pixels. */
  above(place: number): number {
    return this.#offsets.offset(place);
  }

  /** How much there is from a row on, in pixels. */
  from(place: number): number {
    return this.#offsets.whole - this.#offsets.offset(place);
  }

  /** The rows that are, at least in part, between two heights. */
  between(top: number, bottom: number): RowRange {
    const { count } = this.#offsets;
    if (count === 0) return { start: 0, end: 0 };
    return { start: this.#offsets.at(top), end: this.#offsets.at(bottom) + 1 };
  }
}

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
