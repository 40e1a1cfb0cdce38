import type { AlignedPair, AlignOptions, SequenceAlignment } from './alignment';
import { isEqualKey } from './keyedPlaces';
import { Matching } from './matching';

/** Sequences with more combinations than this are not aligned without their unique items first. */
const MAX_TRIED = 4_000;

/**
 * Aligns two sequences: pairs equal items, then similar items between pairs that kept their order, and similar items
 * elsewhere. Paired items outside the longest common order have moved. Where some have, which of several equal items were paired
 * first decides which others seem to have moved: of several ways, the one with the fewest changes is taken.
 */
export function alignSequences<T>(
  before: readonly T[],
  after: readonly T[],
  options: AlignOptions<T>,
): SequenceAlignment<T> {
  const found = alignForward(before, after, options);
  if (!found.pairs.some(({ moved }) => moved)) return found;
  const isSmall = before.length * after.length <= MAX_TRIED;
  const others = [
    alignFromEnd(before, after, options),
    ...(isSmall && options.exact !== undefined ? [alignForward(before, after, { ...options, exact: undefined })] : []),
  ];
  const told = ({ pairs }: SequenceAlignment<T>): number => countChanged(pairs, options);
  return others.reduce((fewest, other) => (told(other) < told(fewest) ? other : fewest), found);
}

function alignForward<T>(before: readonly T[], after: readonly T[], options: AlignOptions<T>): SequenceAlignment<T> {
  const matching = new Matching(before, after, options);
  matching.matchEnds();
  if (options.exact !== undefined) matching.matchExact(options.exact);
  for (const digest of options.digests) matching.matchEqual(digest);
  if (options.essence !== undefined) matching.matchEssence(options.essence);
  matching.matchElsewhere();
  for (const digest of options.sameKind ?? []) matching.matchSameKind(digest);
  const coarse = matching.matchNearby();
  for (const digest of options.digests) matching.uncross(digest);
  return { pairs: matching.pairs(), coarse };
}

/** Aligns from the end: of several equal items, the last ones are paired rather than the first. */
function alignFromEnd<T>(before: readonly T[], after: readonly T[], options: AlignOptions<T>): SequenceAlignment<T> {
  const { pairs, coarse } = alignForward([...before].reverse(), [...after].reverse(), options);
  const matching = new Matching(before, after, options);
  for (const { beforeIndex, afterIndex } of pairs)
    if (beforeIndex !== undefined && afterIndex !== undefined)
      matching.match(before.length - 1 - beforeIndex, after.length - 1 - afterIndex);
  return { pairs: matching.pairs(), coarse };
}

/** The number of items that were added, removed, moved or edited; one that was moved and edited counts twice. */
function countChanged<T>(pairs: readonly AlignedPair<T>[], { digests }: AlignOptions<T>): number {
  const isEqual = (before: T, after: T): boolean =>
    digests.some((digest) => isEqualKey(digest(before) || undefined, digest(after) || undefined));
  const changes = ({ before, after, moved }: AlignedPair<T>): number =>
    before === undefined || after === undefined ? 1 : Number(moved) + Number(!isEqual(before, after));
  return pairs.reduce((sum, pair) => sum + changes(pair), 0);
}
