import { diffArrays } from 'diff';

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

/** With more pairs than these, the nearest are not looked for. */
const MAX_WEIGHED_REPEATS = 400;

/** Some of the keys, by their places. */
export function pickKeys(keys: ReadonlyMap<number, string>, places: readonly number[]): ReadonlyMap<number, string> {
  return new Map(places.flatMap((place) => (keys.has(place) ? [[place, keys.get(place) ?? ''] as const] : [])));
}

export function positionsByKey(keys: ReadonlyMap<number, string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** Milliseconds for the longest common order; the rest counts as moved. */
const COMMON_TIMEOUT_MS = 500;

/** The most pairs of places with equal keys that are in the same order on both sides (Myers, 1986). */
export function commonSubsequence(
  olds: ReadonlyMap<number, string>,
  news: ReadonlyMap<number, string>,
): readonly (readonly [number, number])[] {
  const numbers = new Map([...new Set(olds.values())].map((key, number) => [key, number] as const));
  const shared = new Set(news.values());
  const old = [...olds].filter(([, key]) => shared.has(key));
  const now = [...news].filter(([, key]) => numbers.has(key));
  const number = ([, key]: readonly [number, string]): number => numbers.get(key) ?? -1;
  const chunks = diffArrays(old.map(number), now.map(number), { timeout: COMMON_TIMEOUT_MS }) ?? [];
  let [from, to] = [0, 0];
  return chunks.flatMap(({ added, removed, value }) => {
    const pairs = value.map((_, step) => [old[from + step]?.[0] ?? 0, now[to + step]?.[0] ?? 0] as const);
    if (!added) from += value.length;
    if (!removed) to += value.length;
    return added || removed ? [] : pairs;
  });
}

/** Of several with the same key between the same neighbours, those that are as far from the one ahead on both sides. */
export function alignRepeats(
  pairs: readonly (readonly [number, number])[],
  keys: ReadonlyMap<number, string>,
  oldPlaces: ReadonlyMap<string, readonly number[]>,
  newPlaces: ReadonlyMap<string, readonly number[]>,
): readonly (readonly [number, number])[] {
  let [before, after] = [-1, -1];
  return pairs.map(([from, to], index) => {
    const key = keys.get(from) ?? '';
    const [nextFrom, nextTo] = pairs[index + 1] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const old = (oldPlaces.get(key) ?? []).filter((place) => place > before && place < nextFrom);
    const now = (newPlaces.get(key) ?? []).filter((place) => place > after && place < nextTo);
    const choices =
      old.length * now.length > MAX_WEIGHED_REPEATS
        ? []
        : old.flatMap((one) => now.map((other) => [one, other] as const));
    const offset = ([one, other]: readonly [number, number]) => Math.abs(one - before - (other - after));
    const best = choices.reduce((nearest, choice) => (offset(choice) < offset(nearest) ? choice : nearest), [
      from,
      to,
    ] as const);
    [before, after] = best;
    return best;
  });
}

export function isEqualKey(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}

/** The pairs, in order on both sides, whose scores add up to most; none of them has less than `least`. */
export function bestOrderedPairs(
  scores: readonly (readonly number[])[],
  least: number,
): readonly (readonly [number, number])[] {
  const width = scores[0]?.length ?? 0;
  const best = Array.from({ length: scores.length + 1 }, () => new Array<number>(width + 1).fill(0));
  const sum = (row: number, column: number): number => best[row]?.[column] ?? 0;
  const score = (row: number, column: number): number => scores[row]?.[column] ?? 0;
  for (let row = scores.length - 1; row >= 0; row -= 1)
    for (let column = width - 1; column >= 0; column -= 1) {
      const paired = score(row, column) >= least ? score(row, column) + sum(row + 1, column + 1) : 0;
      const line = best[row];
      if (line !== undefined) line[column] = Math.max(paired, sum(row + 1, column), sum(row, column + 1));
    }
  const chain: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < scores.length && column < width) {
    const total = sum(row, column);
    if (score(row, column) >= least && total === score(row, column) + sum(row + 1, column + 1)) {
      chain.push([row, column]);
      row += 1;
      column += 1;
    } else if (total === sum(row + 1, column)) row += 1;
    else column += 1;
  }
  return chain;
}

/** What it costs to leave an item without a partner: two of these are dearer than any pair. */
const UNPAIRED_COST = 0.55;

/**
 * Pairs the items of two lists so that the pairs stay in order and the sum of their distances (0 to 1; infinite for what
 * must not be paired) is least. Takes time proportional to the product of the lengths.
 */
export function pairSimilar<T>(
  left: readonly T[],
  right: readonly T[],
  distance: (left: T, right: T) => number,
): (readonly [T, T])[] {
  const width = right.length + 1;
  const cost = new Float64Array((left.length + 1) * width);
  const between = new Float64Array(left.length * right.length);
  for (let i = left.length; i >= 0; i -= 1)
    for (let j = right.length; j >= 0; j -= 1) {
      if (i === left.length || j === right.length) {
        cost[i * width + j] = (left.length - i + right.length - j) * UNPAIRED_COST;
        continue;
      }
      const pair = distance(left[i] as T, right[j] as T);
      between[i * right.length + j] = pair;
      const alone = UNPAIRED_COST + Math.min(itemAt(cost, (i + 1) * width + j), itemAt(cost, i * width + j + 1));
      cost[i * width + j] = Math.min(pair + itemAt(cost, (i + 1) * width + j + 1), alone);
    }
  const pairs: (readonly [T, T])[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const here = itemAt(cost, i * width + j);
    if (here === itemAt(between, i * right.length + j) + itemAt(cost, (i + 1) * width + j + 1)) {
      pairs.push([left[i] as T, right[j] as T]);
      i += 1;
      j += 1;
    } else if (here === UNPAIRED_COST + itemAt(cost, (i + 1) * width + j)) i += 1;
    else j += 1;
  }
  return pairs;
}

function itemAt(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}
