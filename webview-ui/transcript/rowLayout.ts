import { sharedBeginning } from '../base/sharedBeginning';
import { RowOffsets } from './rowOffsets';
import type { Row } from './rows';

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
    const same = sharedBeginning(rows, this.#rows);
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
