import { diffArrays } from 'diff';

/** With more pairs than these, the nearest are not looked for. */
const MOST_WEIGHED = 400;

/** Some of the keys, by their places. */
export function picked(keys: ReadonlyMap<number, string>, places: readonly number[]): ReadonlyMap<number, string> {
  return new Map(places.flatMap((place) => (keys.has(place) ? [[place, keys.get(place) ?? ''] as const] : [])));
}

export function placesByKey(keys: ReadonlyMap<number, string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** Milliseconds for the longest common order; the rest counts as moved. */
const TIMEOUT_MS = 500;

/** The most pairs of places with equal keys that are in the same order on both sides (Myers, 1986). */
export function commonOrder(
  olds: ReadonlyMap<number, string>,
  news: ReadonlyMap<number, string>,
): readonly (readonly [number, number])[] {
  const numbers = new Map([...new Set(olds.values())].map((key, number) => [key, number] as const));
  const shared = new Set(news.values());
  const old = [...olds].filter(([, key]) => shared.has(key));
  const now = [...news].filter(([, key]) => numbers.has(key));
  const number = ([, key]: readonly [number, string]): number => numbers.get(key) ?? -1;
  const chunks = diffArrays(old.map(number), now.map(number), { timeout: TIMEOUT_MS }) ?? [];
  let [from, to] = [0, 0];
  return chunks.flatMap(({ added, removed, value }) => {
    const pairs = value.map((_, step) => [old[from + step]?.[0] ?? 0, now[to + step]?.[0] ?? 0] as const);
    if (!added) from += value.length;
    if (!removed) to += value.length;
    return added || removed ? [] : pairs;
  });
}

/** Of several with the same key between the same neighbours, those that are as far from the one ahead on both sides. */
export function settled(
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
      old.length * now.length > MOST_WEIGHED ? [] : old.flatMap((one) => now.map((other) => [one, other] as const));
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
export function bestChain(
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
