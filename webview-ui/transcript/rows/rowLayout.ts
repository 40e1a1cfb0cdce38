import { commonPrefixLength, keysOf, type Row } from './rows';

/** A half-open range of rows. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The rows with the position of each. Heights are estimates until they have been measured. */
export class RowLayout {
  readonly #offsets = new RowOffsets();
  readonly #measured = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #rows: readonly Row[] = [];

  /** Lays out `rows`. Those at the start that have not changed keep their positions. */
  show(rows: readonly Row[], estimate: (row: Row) => number): void {
    if (rows === this.#rows) return;
    const same = commonPrefixLength(rows, this.#rows);
    for (const key of this.#rows.slice(same).flatMap(keysOf)) this.#places.delete(key);
    this.#offsets.cut(same);
    for (const row of rows.slice(same)) {
      const { key } = row.view;
      for (const one of keysOf(row)) this.#places.set(one, this.#offsets.count);
      this.#offsets.push(this.#measured.get(key) ?? estimate(row));
    }
    this.#rows = rows;
  }

  /** Sets the height of a row, in pixels. Returns false if it had that height. */
  measure(key: string, height: number): boolean {
    if (Math.abs((this.#measured.get(key) ?? 0) - height) < 1) return false;
    this.#measured.set(key, height);
    const place = this.#places.get(key);
    if (place !== undefined) this.#offsets.setHeight(place, height);
    return true;
  }

  /** The index of a row, or of the one that folds it; undefined if there is no such row. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** The key of the row at the place of `key`: another one where that is folded. */
  shownKey(key: string): string {
    const place = this.#places.get(key);
    return (place === undefined ? undefined : this.#rows[place]?.view.key) ?? key;
  }

  /** The measured or estimated height of a row, in pixels. */
  height(key: string): number {
    const place = this.#places.get(key);
    return place === undefined ? 0 : this.#offsets.height(place);
  }

  /** The height of all rows before a row, in pixels. */
  above(place: number): number {
    return this.#offsets.offset(place);
  }

  /** The height of a row and all rows after it, in pixels. */
  from(place: number): number {
    return this.#offsets.total - this.#offsets.offset(place);
  }

  /** The rows that are at least partly between two offsets, in pixels. */
  between(top: number, bottom: number): RowRange {
    const { count } = this.#offsets;
    if (count === 0) return { start: 0, end: 0 };
    return { start: this.#offsets.at(top), end: this.#offsets.at(bottom) + 1 };
  }
}

/**
 * The offsets of items that stand below each other, while their heights change one by one: a
 * Fenwick tree ("A New Data Structure for Cumulative Frequency Tables", 1994). Every call takes logarithmic time.
 */
export class RowOffsets {
  readonly #heights: number[] = [];
  /** At each index, from 1: the sum of the heights that end there, as many as the lowest set bit of the index. */
  readonly #sums: number[] = [0];

  get count(): number {
    return this.#heights.length;
  }

  /** The height of all items. */
  get total(): number {
    return this.offset(this.count);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  push(height: number): void {
    const end = this.#heights.push(height);
    this.#sums.push(height + this.offset(end - 1) - this.offset(end - lowestBit(end)));
  }

  /** Removes all items after the first `count`. */
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

  /** The height of the first `index` items. */
  offset(index: number): number {
    let sum = 0;
    for (let end = index; end > 0; end -= lowestBit(end)) sum += this.#sums[end] ?? 0;
    return sum;
  }

  /** The index of the item at an offset; of the first or the last for an offset outside. */
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
