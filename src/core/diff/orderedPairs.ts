import type { IndexPair } from './commonOrder';

/**
 * The pairs, in the same order on both sides, with the highest total score; pairs that score less than `minScore` are
 * left out. Among equal totals, pairs at the start are preferred, then leaving out an item on the left.
 * Takes time and memory proportional to the product of the lengths (Needleman and Wunsch, 1970).
 */
export function bestOrderedPairs(
  rows: number,
  columns: number,
  score: (row: number, column: number) => number,
  minScore = 0,
): readonly IndexPair[] {
  const width = columns + 1;
  /** The highest total from a row and a column on. */
  const totals = new Float64Array((rows + 1) * width);
  const paired = new Float64Array(rows * columns).fill(Number.NEGATIVE_INFINITY);
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const points = score(row, column);
      const both =
        points >= minScore ? points + itemAt(totals, (row + 1) * width + column + 1) : Number.NEGATIVE_INFINITY;
      paired[row * columns + column] = both;
      const withoutRow = itemAt(totals, (row + 1) * width + column);
      const withoutColumn = itemAt(totals, row * width + column + 1);
      totals[row * width + column] = Math.max(both, withoutRow, withoutColumn);
    }
  const pairs: IndexPair[] = [];
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    const total = itemAt(totals, row * width + column);
    if (total === itemAt(paired, row * columns + column)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (total === itemAt(totals, (row + 1) * width + column)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** The cost of leaving an item unpaired. Leaving out two costs more than any pair. */
const UNPAIRED_COST = 0.55;

/**
 * Pairs the items of two lists, in order, so that the sum of the pairs' distances and of `UNPAIRED_COST` for every other
 * item is least. Distances are from 0 to 1, and infinite for items that must not be paired.
 */
export function pairSimilar<T>(
  left: readonly T[],
  right: readonly T[],
  distance: (left: T, right: T) => number,
): (readonly [T, T])[] {
  const saved = (row: number, column: number): number =>
    2 * UNPAIRED_COST - distance(left[row] as T, right[column] as T);
  return bestOrderedPairs(left.length, right.length, saved).map(([row, column]) => [
    left[row] as T,
    right[column] as T,
  ]);
}

function itemAt(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}
