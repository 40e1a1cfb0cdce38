import type { AlignedPair } from './alignSequences';

/** Which of the changes of order and number are wanted. */
export interface WantedMoves<T> {
  added(pair: AlignedPair<T>): boolean;
  removed(pair: AlignedPair<T>): boolean;
  moved(pair: AlignedPair<T>): boolean;
}

/**
 * The sequence that comes of the earlier one by some of the changes: all of them give the order of the later one, none the
 * order of the earlier one. What is added or moved goes behind what precedes it in the later one.
 */
export function mergeAligned<T>(pairs: readonly AlignedPair<T>[], wanted: WantedMoves<T>): readonly AlignedPair<T>[] {
  const isGone = (pair: AlignedPair<T>): boolean => pair.afterIndex === undefined && wanted.removed(pair);
  const isPlaced = (pair: AlignedPair<T>): boolean =>
    pair.beforeIndex === undefined ? wanted.added(pair) : pair.moved && wanted.moved(pair);
  const stays = pairs.filter((pair) => pair.beforeIndex !== undefined && !isGone(pair) && !isPlaced(pair));
  const merged = stays.sort((left, right) => (left.beforeIndex ?? 0) - (right.beforeIndex ?? 0));
  let previous: AlignedPair<T> | undefined;
  for (const pair of pairs) {
    if (pair.afterIndex === undefined) continue;
    if (isPlaced(pair)) merged.splice(previous === undefined ? 0 : merged.indexOf(previous) + 1, 0, pair);
    else if (pair.beforeIndex === undefined || pair.moved) continue;
    previous = pair;
  }
  return merged;
}
