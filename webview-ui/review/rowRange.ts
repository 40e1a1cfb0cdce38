/** Where the rows of a list begin, in pixels from its top, with its whole height at the end. */
export function offsetsOf(count: number, heightOf: (index: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) offsets[index + 1] = (offsets[index] ?? 0) + heightOf(index);
  return offsets;
}

/** A half-open range of rows. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The rows that are, at least in part, between two places. */
export function rowsBetween(offsets: Float64Array, top: number, bottom: number): RowRange {
  const count = offsets.length - 1;
  const start = Math.min(rowAt(offsets, top), Math.max(0, count - 1));
  return { start, end: Math.min(count, rowAt(offsets, bottom) + 1) };
}

/** The row at a place, or the nearest. */
function rowAt(offsets: Float64Array, place: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle + 1] ?? Number.POSITIVE_INFINITY) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
