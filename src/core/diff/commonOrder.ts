import { diffArrays } from 'diff';

/** A place in the earlier of two sequences, and its counterpart in the later one. */
export type IndexPair = readonly [before: number, after: number];

/** The number of items that two sequences have in common at their start. */
export function commonStart(
  beforeLength: number,
  afterLength: number,
  isSame: (before: number, after: number) => boolean,
): number {
  const shorter = Math.min(beforeLength, afterLength);
  let start = 0;
  while (start < shorter && isSame(start, start)) start += 1;
  return start;
}

/** The numbers of items that two sequences have in common at their start and, beyond that, at their end. */
export function commonEnds(
  beforeLength: number,
  afterLength: number,
  isSame: (before: number, after: number) => boolean,
): { readonly start: number; readonly end: number } {
  const start = commonStart(beforeLength, afterLength, isSame);
  const end = commonStart(beforeLength - start, afterLength - start, (distance) =>
    isSame(beforeLength - 1 - distance, afterLength - 1 - distance),
  );
  return { start, end };
}

/** Bounds the search, which takes quadratic time for sequences that have little in common. */
type SearchLimit = { readonly timeout: number } | { readonly maxEditLength: number };

/**
 * The longest sequence of pairs of equal items in the same order on both sides (Myers, 1986). Beyond the limit (`timeout`
 * in milliseconds, `maxEditLength` in items added and removed) there are no pairs.
 */
export function commonSubsequence<T>(
  before: readonly T[],
  after: readonly T[],
  limit: SearchLimit,
): readonly IndexPair[] {
  // Most calls are for little, for which nothing has to be searched.
  if (before.length === 0 || after.length === 0) return [];
  if (before.length === 1 && after.length === 1) return before[0] === after[0] ? [[0, 0]] : [];
  const chunks = diffArrays([...before], [...after], limit) ?? [];
  const pairs: IndexPair[] = [];
  let from = 0;
  let to = 0;
  for (const { added, removed, count } of chunks) {
    if (!added && !removed) for (let step = 0; step < count; step += 1) pairs.push([from + step, to + step]);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return pairs;
}

/** The places between two neighbouring pairs, on both sides. */
export interface Gap {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The gaps around pairs that are in the same order on both sides: one more than pairs, empty ones included. */
export function gapsBetween(pairs: readonly IndexPair[], beforeLength: number, afterLength: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let from = 0;
  let to = 0;
  for (const [before, after] of [...pairs, [beforeLength, afterLength] as const]) {
    gaps.push({ before: range(from, before), after: range(to, after) });
    from = before + 1;
    to = after + 1;
  }
  return gaps;
}

/** The whole numbers from `start` up to, and without, `end`. */
export function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
}

/**
 * The places of a longest strictly rising subsequence, in O(n log n): patience sorting with back pointers
 * (Fredman, "On computing the length of longest increasing subsequences", 1975).
 */
export function longestIncreasingSubsequence(numbers: readonly number[]): readonly number[] {
  /** For each length, where the subsequence of that length with the smallest last number ends. */
  const ends: number[] = [];
  const previous: number[] = [];
  numbers.forEach((number, place) => {
    const length = lowerBound(ends, number, numbers);
    previous.push(length === 0 ? -1 : (ends[length - 1] ?? -1));
    ends[length] = place;
  });
  const places: number[] = [];
  for (let place = ends.at(-1) ?? -1; place !== -1; place = previous[place] ?? -1) places.push(place);
  return places.reverse();
}

/** The number of ends whose number is smaller. */
function lowerBound(ends: readonly number[], number: number, numbers: readonly number[]): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
