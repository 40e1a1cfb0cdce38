import type { AlignedPair } from './alignment';

/** Selects the additions, removals and moves to apply. */
interface WantedMoves<T> {
  added(pair: AlignedPair<T>): boolean;
  removed(pair: AlignedPair<T>): boolean;
  moved(pair: AlignedPair<T>): boolean;
}

/**
 * Applies some of the changes to the earlier sequence: all of them give the order of the later one, none the order of the
 * earlier one. An added or moved item is placed after the item that precedes it in the later sequence.
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
