/**
 * The places of a longest strictly rising subsequence, in O(n log n): patience sorting with back pointers
 * (Fredman, "On computing the length of longest increasing subsequences", 1975).
 */
export function longestRising(numbers: readonly number[]): readonly number[] {
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

/** How many of the ends have a smaller number. */
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
