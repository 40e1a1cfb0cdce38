import { longestIncreasingSubsequence, range } from '../../../src/core/diff/commonOrder';

/** The places of paired items, in the order of the earlier sequence. */
export type Pairing = readonly (readonly [before: number, after: number])[];

/**
 * The number of changes that a pairing tells: items added and removed, pairs that left the longest common order, and the edits
 * of each pair. Infinite when a pair is not the same item.
 */
export function countTold<T>(
  before: readonly T[],
  after: readonly T[],
  pairing: Pairing,
  edits: (before: T, after: T) => number,
): number {
  const targets = [...pairing].sort(([left], [right]) => left - right).map(([, now]) => now);
  const moved = targets.length - longestIncreasingSubsequence(targets).length;
  const edited = pairing.reduce((sum, [old, now]) => sum + edits(before[old] as T, after[now] as T), 0);
  return before.length + after.length - 2 * pairing.length + moved + edited;
}

/** The fewest changes that any pairing tells, found by trying all of them. */
export function fewestTold<T>(
  before: readonly T[],
  after: readonly T[],
  edits: (before: T, after: T) => number,
): number {
  const pairings = (old: number, free: readonly number[]): Pairing[] => {
    if (old === before.length) return [[]];
    const unpaired = pairings(old + 1, free);
    const paired = free
      .filter((now) => Number.isFinite(edits(before[old] as T, after[now] as T)))
      .flatMap((now) =>
        pairings(
          old + 1,
          free.filter((other) => other !== now),
        ).map((rest): Pairing => [[old, now], ...rest]),
      );
    return [...unpaired, ...paired];
  };
  const told = pairings(0, range(0, after.length)).map((pairing) => countTold(before, after, pairing, edits));
  return Math.min(...told);
}
