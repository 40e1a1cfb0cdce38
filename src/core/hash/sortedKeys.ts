const NONE: readonly number[] = [];

/** Keys that lie in rows of bytes, as characters of Latin-1 that are all of one length, with the rows in the order of their keys. */
export interface KeyRows {
  readonly bytes: Uint8Array;
  /** Of a row, which begins with its key. */
  readonly stride: number;
  readonly width: number;
  readonly order: Uint32Array;
}

/** Finds rows by their keys, as these lie in a file: nothing has to be made of them before. */
export class SortedKeys {
  readonly #rows: KeyRows;
  readonly #found = new Map<string, readonly number[]>();

  constructor(rows: KeyRows) {
    this.#rows = rows;
  }

  /** The rows with a key, in their order; always the same list for the same key. */
  find(key: string): readonly number[] {
    const known = this.#found.get(key) ?? this.#search(key);
    if (known.length > 0) this.#found.set(key, known);
    return known;
  }

  keyAt(row: number): string {
    const { bytes, stride, width } = this.#rows;
    return String.fromCharCode(...bytes.subarray(row * stride, row * stride + width));
  }

  #search(key: string): readonly number[] {
    const { order, width } = this.#rows;
    if (key.length !== width) return NONE;
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(order[middle] ?? 0, key) < 0) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < order.length && this.#compare(order[end] ?? 0, key) === 0) end += 1;
    return Array.from(order.subarray(low, end));
  }

  #compare(row: number, key: string): number {
    const { bytes, stride, width } = this.#rows;
    for (let at = 0; at < width; at += 1) {
      const difference = (bytes[row * stride + at] ?? 0) - key.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** The rows of some keys in the order of these; rows of equal keys in their own order. */
export function orderOfKeys(keys: readonly string[]): Uint32Array {
  const rows = Uint32Array.from(keys, (_, row) => row);
  return rows.sort((left, right) => compareTexts(keys[left] ?? '', keys[right] ?? '') || left - right);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
