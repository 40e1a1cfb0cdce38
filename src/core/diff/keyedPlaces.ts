import { commonSubsequence, type IndexPair } from './commonOrder';

/** The keys of some items of a sequence, by place. */
export type KeysByPlace = ReadonlyMap<number, string>;

export function placesByKey(keys: KeysByPlace): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, key] of keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}

/** Whether a key is at several places. */
export function hasRepeats(keys: KeysByPlace): boolean {
  return new Set(keys.values()).size < keys.size;
}

/** The keys at some of the places. */
export function pickKeys(keys: KeysByPlace, places: readonly number[]): KeysByPlace {
  return new Map(places.flatMap((place) => (keys.has(place) ? [[place, keys.get(place) ?? ''] as const] : [])));
}

export function isEqualKey(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}

/** Milliseconds for the longest common order; beyond it, nothing counts as being in order. */
const COMMON_TIMEOUT_MS = 500;

/** Pairs of places with equal keys, as many as are in the same order on both sides. */
export function commonKeys(before: KeysByPlace, after: KeysByPlace): readonly IndexPair[] {
  // Keys may be long; numbers are compared faster.
  const numbers = new Map([...new Set(before.values())].map((key, number) => [key, number] as const));
  const keysAfter = new Set(after.values());
  const old = [...before].filter(([, key]) => keysAfter.has(key));
  const now = [...after].filter(([, key]) => numbers.has(key));
  const numberOf = ([, key]: readonly [number, string]): number => numbers.get(key) ?? -1;
  const pairs = commonSubsequence(old.map(numberOf), now.map(numberOf), { timeout: COMMON_TIMEOUT_MS });
  return pairs.map(([from, to]) => [old[from]?.[0] ?? 0, now[to]?.[0] ?? 0]);
}

/** With more combinations than this, repeats stay as they were paired. */
const MAX_WEIGHED_REPEATS = 400;

/**
 * Where a key occurs several times between the same neighbours, pairs those occurrences that are equally far from the
 * preceding pair on both sides.
 */
export function alignRepeats(
  pairs: readonly IndexPair[],
  before: KeysByPlace,
  after: KeysByPlace,
): readonly IndexPair[] {
  const placesBefore = placesByKey(before);
  const placesAfter = placesByKey(after);
  let previous: IndexPair = [-1, -1];
  return pairs.map((pair, index) => {
    const key = before.get(pair[0]) ?? '';
    const next = pairs[index + 1] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const old = placesBetween(placesBefore.get(key) ?? [], previous[0], next[0]);
    const now = placesBetween(placesAfter.get(key) ?? [], previous[1], next[1]);
    if (old.length * now.length <= MAX_WEIGHED_REPEATS) previous = closestRepeat(previous, pair, old, now);
    else previous = pair;
    return previous;
  });
}

/** The places between two others; `places` ascend, and may be very many. */
function placesBetween(places: readonly number[], after: number, before: number): readonly number[] {
  const from = firstAbove(places, after);
  let to = from;
  while (to < places.length && (places[to] ?? 0) < before) to += 1;
  return places.slice(from, to);
}

function firstAbove(places: readonly number[], limit: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function closestRepeat(
  previous: IndexPair,
  pair: IndexPair,
  old: readonly number[],
  now: readonly number[],
): IndexPair {
  const offset = ([from, to]: IndexPair): number => Math.abs(from - previous[0] - (to - previous[1]));
  const choices = old.flatMap((from) => now.map((to): IndexPair => [from, to]));
  return choices.reduce((nearest, choice) => (offset(choice) < offset(nearest) ? choice : nearest), pair);
}
