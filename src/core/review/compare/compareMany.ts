import type { AlignedPair } from '../../diff/alignment';
import { gapsBetween, type IndexPair } from '../../diff/commonOrder';
import { commonKeys } from '../../diff/keyedPlaces';
import { digest53 } from '../../hash/digest53';
import type { Interaction } from '../../model/interaction';
import { grouped } from '../../text/counts';
import { message, t } from '../../text/l10n';
import { contentDigest, isEqualInMeaning } from './compareLarge';
import { type ComparisonLimits, type ComparisonScope, sizeOf } from './comparisonScope';
import { differenceOf } from './difference';
import { isEqualInteraction } from './interactionShape';
import type { Normaliser } from './normaliser';
import type { PlacedDifference } from './placedDifference';

/** Two interactions with the digests of their contents; without any where they are known to be equal. */
export interface DigestedPair extends AlignedPair<Interaction> {
  readonly digests?: readonly [before: string, after: string];
}

/**
 * Pairs the interactions of two tapes that are too large for more: those with equal content, and the others between the same
 * neighbours by their position.
 */
export function alignByContent(
  before: readonly Interaction[],
  after: readonly Interaction[],
  { start, end }: ComparisonScope,
): readonly DigestedPair[] {
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const olds = digestsBetween(before, start, oldEnd);
  const news = digestsBetween(after, start, newEnd);
  const equal = commonKeys(olds, news);
  const anchors: IndexPair[] = [
    ...Array.from({ length: start }, (_, place): IndexPair => [place, place]),
    ...equal,
    ...Array.from({ length: end }, (_, place): IndexPair => [oldEnd + place, newEnd + place]),
  ];
  const pairOf = (from: number | undefined, to: number | undefined): DigestedPair => {
    const digests = [olds.get(from ?? -1) ?? '', news.get(to ?? -1) ?? ''] as const;
    return {
      moved: false,
      ...(digests.some((digest) => digest !== '') && { digests }),
      ...sideOf('before', before, from),
      ...sideOf('after', after, to),
    };
  };
  return gapsBetween(anchors, before.length, after.length).flatMap((gap, index) => {
    const length = Math.max(gap.before.length, gap.after.length);
    const between = Array.from({ length }, (_, place) => pairOf(gap.before[place], gap.after[place]));
    const [old, now] = anchors[index] ?? [];
    return old === undefined ? between : [...between, pairOf(old, now)];
  });
}

function sideOf(side: 'before' | 'after', interactions: readonly Interaction[], place: number | undefined) {
  const item = place === undefined ? undefined : interactions[place];
  return item === undefined ? {} : { [side]: item, [`${side}Index`]: place };
}

function digestsBetween(interactions: readonly Interaction[], from: number, to: number): ReadonlyMap<number, string> {
  return new Map(interactions.slice(from, to).map((one, place) => [from + place, contentDigest(one)] as const));
}

interface SplitPairs {
  readonly inDetail: readonly DigestedPair[];
  /** They differ, and are not compared. */
  readonly rest: readonly DigestedPair[];
  /** They differ in times and ids only, and are not compared. */
  readonly retimed: readonly DigestedPair[];
}

/** Of the pairs of two tapes that are too large, the first that differ are compared in detail. */
export function splitByLimit(
  pairs: readonly DigestedPair[],
  { detailed, detailedSize, valueSize }: ComparisonLimits,
): SplitPairs {
  const inDetail: DigestedPair[] = [];
  const rest: DigestedPair[] = [];
  const retimed: DigestedPair[] = [];
  let size = 0;
  for (const pair of pairs) {
    const difference = differenceIn(pair);
    if (difference === 'none') continue;
    const isWithin = inDetail.length < detailed && size <= detailedSize;
    if (isWithin) size += sizeOfPair(pair, valueSize);
    (isWithin && size <= detailedSize ? inDetail : difference === 'times' ? retimed : rest).push(pair);
  }
  return { inDetail, rest, retimed };
}

/** Different digests mean different contents; equal ones may not mean equal contents. */
function differenceIn({ before, after, digests }: DigestedPair): 'none' | 'times' | 'content' {
  if (digests === undefined) return 'none';
  if (digests[0] !== digests[1] || before === undefined || after === undefined) return 'content';
  if (isEqualInteraction(before, after)) return 'none';
  return isEqualInMeaning(before, after) ? 'times' : 'content';
}

/** Of those that are compared: only the first differences of larger ones are looked for. */
function sizeOfPair({ before, after }: DigestedPair, largest: number): number {
  const sizes = [before ? sizeOf(before) : 0, after ? sizeOf(after) : 0];
  return sizes.reduce((sum, size) => sum + (size > largest ? 0 : size), 0);
}

/** The interactions that are not compared, as one change that no rule ignores, and one that is ignored. */
export function restOf({ rest, retimed }: SplitPairs, { rules }: Normaliser): readonly PlacedDifference[] {
  // With a tolerance for durations, what differs in times may be a change.
  const isIgnored = rules.timingTolerance === undefined;
  return [
    ...summary(isIgnored ? rest : [...rest, ...retimed], DIFFERING, []),
    ...summary(isIgnored ? retimed : [], RETIMED, ['timing']),
  ];
}

const DIFFERING = message('{0} more interactions differ; too many to compare in detail');
const RETIMED = message('{0} more interactions differ in times and ids; too many to compare in detail');

function summary(pairs: readonly DigestedPair[], title: string, rules: readonly string[]): readonly PlacedDifference[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const { beforeIndex, afterIndex } = first;
  const [old, now] = [
    spanOf(pairs.map(({ before, digests }) => [before, digests?.[0]])),
    spanOf(pairs.map(({ after, digests }) => [after, digests?.[1]])),
  ];
  const name = t(title, grouped(pairs.length));
  return [
    {
      ...differenceOf('interaction', [], old, now, { name, rules }),
      identity: [old ?? '', now ?? ''],
      interaction: {
        before: beforeIndex,
        after: afterIndex,
      },
    },
  ];
}

/** Where the interactions of one side are, with their digest. */
function spanOf(side: readonly (readonly [Interaction | undefined, string | undefined])[]): string | undefined {
  const interactions = side.flatMap(([interaction]) => interaction ?? []);
  const [first] = interactions;
  const last = interactions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const count = `${grouped(interactions.length)} interaction${interactions.length === 1 ? '' : 's'}`;
  const digest = digest53(side.map(([, one]) => one).join()).toString(36);
  return `${count}, from interaction ${grouped(first.index + 1)} to ${grouped(last.index + 1)}; digest ${digest}`;
}
