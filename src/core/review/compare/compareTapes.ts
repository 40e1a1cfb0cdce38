import type { AlignedPair } from '../../diff/alignment';
import { alignSequences } from '../../diff/alignSequences';
import { diceSimilarity } from '../../diff/similarity';
import type { ChangePlace, ChangeSet } from '../../model/change';
import type { Interaction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import type { Usage } from '../../model/usage';
import { counted } from '../../text/counts';
import { t } from '../../text/l10n';
import { urlPath } from '../../wire/http';
import { compareInteraction, compareRecording } from './compareInteraction';
import { isEqualInMeaning, largeEdit, largeInteraction, standIn } from './compareLarge';
import { alignByContent, type DigestedPair, restOf, splitByLimit } from './compareMany';
import { COMPARISON_LIMITS, type ComparisonScope, comparisonScope, isTooLarge } from './comparisonScope';
import { type Difference, differenceOf } from './difference';
import { askedIn, type EarlierPlace, namesOf, placeName, withPlaces } from './earlierPlaces';
import { countDifferences, type GatheredChanges, gatherChanges } from './gatherChanges';
import { InteractionFacts } from './interactionFacts';
import { interactionExcerpt } from './interactionShape';
import { ChangedValues, withNoise } from './noise';
import { Normaliser } from './normaliser';
import type { PlacedDifference } from './placedDifference';
import { repeatedMessageKeys, repeatKeysOf } from './repeats';

/** Two tapes, aligned and compared. */
export interface TapeComparison extends ChangeSet, GatheredChanges {
  readonly pairs: readonly AlignedPair<Interaction>[];
  /** The volatile values that changed, and are not reported again where they recur. */
  readonly changed: ChangedValues;
  /** Some of what differs was not compared in detail, so that changes can only be decided together. */
  readonly isLimited: boolean;
}

/** The least similarity of two versions of the same interaction. */
const MIN_SIMILARITY = 0.55;
/** Interactions with at most this many changes are shown as edited: that is as short as one removed and one added. */
const FEW_CHANGES = 2;
const MIN_LOOSE_SIMILARITY = 0.45;
/** With this much in common, an interaction is the same one elsewhere, in however many places it was edited. */
const MIN_SURE_SIMILARITY = 0.75;
/** Beyond this number of detailed comparisons, only similarity is used. */
const MAX_DETAILED_COMPARISONS = 1000;

/**
 * The differences in meaning between an earlier and a later recording. An edit that is repeated in many requests, since each
 * contains the conversation so far, is one change. What exceeds the limits is reported as changed unless it is equal.
 */
export function compareTapes(
  before: Tape,
  after: Tape,
  normaliser = new Normaliser(),
  limits = COMPARISON_LIMITS,
): TapeComparison {
  const aligned = alignWithinLimits(before.interactions, after.interactions, normaliser, limits);
  const { pairs, scope, areKnownEqual } = aligned;
  const changed = new ChangedValues();
  const split = scope.isTooMuch ? splitByLimit(pairs, limits) : { inDetail: pairs, rest: [], retimed: [] };
  const places = new Map<AlignedPair<Interaction>, EarlierPlace>(withPlaces(pairs));
  const nameOf = scope.isTooMuch ? String : namesOf(before.interactions, askedIn);
  let large = 0;
  const compared = (pair: AlignedPair<Interaction>): readonly PlacedDifference[] => {
    if (!pair.moved && areKnownEqual(pair.before, pair.after)) return [];
    const isLarge =
      (scope.isTooMuch || scope.isAnyTooLarge) && [pair.before, pair.after].some((one) => isTooLarge(one, limits));
    if (!isLarge) return pairChanges(pair, normaliser, changed);
    const changes = largePairChanges(pair, normaliser, changed);
    if (changes.length > 0) large += 1;
    return changes;
  };
  const differences = [
    ...withNoise(compareHeads(before, after), normaliser, changed),
    ...split.inDetail.flatMap((pair) => named(compared(pair), places.get(pair), nameOf)),
    ...restOf(split, normaliser),
  ];
  const notices = noticesOf(aligned, large);
  const isLimited = scope.isTooMuch || large > 0;
  return { pairs, changed, notices, isLimited, ...gatherChanges(differences, normaliser) };
}

/** The differences with the name of their interaction in the earlier tape, which is only made where there are any. */
function named(
  differences: readonly PlacedDifference[],
  place: EarlierPlace | undefined,
  nameOf: (index: number) => string,
): readonly PlacedDifference[] {
  if (differences.length === 0 || place === undefined) return differences;
  const earlier = placeName(place, nameOf);
  return differences.map((one) => ({ ...one, earlier }));
}

function noticesOf({ coarse, scope }: LimitedAlignment, large: number): readonly string[] {
  return [
    ...(scope.isTooMuch
      ? [
          t(
            'These tapes are too large to compare in detail: only equal interactions are aligned, and of those that differ, only the first are compared.',
          ),
        ]
      : []),
    ...(coarse
      ? [t('These tapes have too little in common to be aligned: their interactions are compared by position.')]
      : []),
    ...(large > 0
      ? [
          counted(
            large,
            'An interaction is too large to compare in detail. Only the first differences are shown.',
            '{0} interactions are too large to compare in detail. Only the first differences are shown.',
          ),
        ]
      : []),
  ];
}

interface LimitedAlignment {
  readonly pairs: readonly DigestedPair[];
  readonly coarse: boolean;
  readonly scope: ComparisonScope;
  readonly areKnownEqual: (before: Interaction | undefined, after: Interaction | undefined) => boolean;
}

/** Aligns interactions by meaning, as far as the limits allow. */
export function alignWithinLimits(
  before: readonly Interaction[],
  after: readonly Interaction[],
  normaliser: Normaliser,
  limits = COMPARISON_LIMITS,
): LimitedAlignment {
  const scope = comparisonScope(before, after, limits);
  if (scope.isTooMuch)
    return { pairs: alignByContent(before, after, scope), coarse: false, scope, areKnownEqual: () => false };
  const facts = new InteractionFacts(normaliser);
  rememberEnds(facts, before, after, scope);
  const areKnownEqual: LimitedAlignment['areKnownEqual'] = (old, now) => facts.areKnownEqual(old, now);
  if (!scope.isAnyTooLarge) return { ...alignInteractions(before, after, normaliser, facts), scope, areKnownEqual };
  const [olds, news] = [before, after].map((all) => all.map((one) => (isTooLarge(one, limits) ? standIn(one) : one)));
  const { pairs, coarse } = alignInteractions(olds ?? [], news ?? [], normaliser, facts);
  const whole = pairs.map((pair) => ({
    ...pair,
    ...(pair.beforeIndex !== undefined && { before: before[pair.beforeIndex] }),
    ...(pair.afterIndex !== undefined && { after: after[pair.afterIndex] }),
  }));
  return { pairs: whole as readonly AlignedPair<Interaction>[], coarse, scope, areKnownEqual };
}

function rememberEnds(
  facts: InteractionFacts,
  before: readonly Interaction[],
  after: readonly Interaction[],
  { start, end }: ComparisonScope,
): void {
  const remember = (old: Interaction | undefined, now: Interaction | undefined): void => {
    if (old !== undefined && now !== undefined) facts.setEqual(old, now);
  };
  for (let at = 0; at < start; at += 1) remember(before[at], after[at]);
  for (let at = 1; at <= end; at += 1) remember(before.at(-at), after.at(-at));
}

function alignInteractions(
  before: readonly Interaction[],
  after: readonly Interaction[],
  normaliser: Normaliser,
  facts: InteractionFacts,
) {
  const similarity = (old: Interaction, now: Interaction): number => {
    if (old.kind !== now.kind) return 0;
    const found = Math.max(
      diceSimilarity(facts.words(old), facts.words(now)),
      facts.askedLikeness(old, now),
      facts.likeness(old, now),
    );
    return isSameTurn(old, now) ? found : Math.min(found, MIN_LOOSE_SIMILARITY);
  };
  const countChanges = memoisedPairs((old, now) => countDifferences(compareInteraction(old, now, normaliser)));
  const differsInLittle = (old: Interaction, now: Interaction): boolean =>
    old.kind === now.kind && countChanges(old, now) <= (similarity(old, now) >= MIN_LOOSE_SIMILARITY ? FEW_CHANGES : 1);
  let counted = 0;
  const preference = (old: Interaction, now: Interaction): number => {
    counted += 1;
    const closeness = counted > MAX_DETAILED_COMPARISONS ? 0 : 1 / (1 + countChanges(old, now));
    return 0.8 * closeness + 0.2 * similarity(old, now) + USAGE_TIE_BREAK * shareOfEqualUsage(old, now);
  };
  const options = {
    same: (old: Interaction, now: Interaction) => facts.isSame(old, now),
    exact: facts.exact,
    digests: [facts.named, facts.whole],
    essence: facts.asked,
    sameKind: [facts.request, facts.conversation, facts.response],
    similarity,
    preference,
    isEditedAlone: (old: Interaction, now: Interaction) =>
      similarity(old, now) >= MIN_SIMILARITY ||
      differsInLittle(old, now) ||
      isKnownByPlace(old, now) ||
      (before.length === 1 && after.length === 1 && isSameCall(old, now)),
    minSimilarity: MIN_SIMILARITY,
    isEditedElsewhere: (old: Interaction, now: Interaction) =>
      similarity(old, now) >= MIN_SURE_SIMILARITY || differsInLittle(old, now),
  };
  return alignSequences(before, after, options);
}

/** What equal token counts weigh between two candidates that are equally close otherwise; more than their places do. */
const USAGE_TIE_BREAK = 1e-3;

/** The share of the token counts of two responses that are equal. */
function shareOfEqualUsage({ response: old }: Interaction, { response: now }: Interaction): number {
  const before: Partial<Usage> = old?.usage ?? {};
  const after: Partial<Usage> = now?.usage ?? {};
  const fields = Object.keys({ ...before, ...after }) as (keyof Usage)[];
  return fields.length === 0 ? 0 : fields.filter((field) => before[field] === after[field]).length / fields.length;
}

/** Computes the number of a pair once. */
function memoisedPairs(
  read: (before: Interaction, after: Interaction) => number,
): (before: Interaction, after: Interaction) => number {
  const known = new Map<Interaction, Map<Interaction, number>>();
  return (before, after) => {
    const ofBefore = known.get(before) ?? new Map<Interaction, number>();
    const number = ofBefore.get(after) ?? read(before, after);
    known.set(before, ofBefore.set(after, number));
    return number;
  };
}

/** Whether two responses belong to scripts without requests, in which only their positions match them. */
function isKnownByPlace(old: Interaction, now: Interaction): boolean {
  const hasPlaceOnly = ({ request, http }: Interaction) => request === undefined && http === undefined;
  return old.kind === now.kind && old.response !== undefined && hasPlaceOnly(old) && hasPlaceOnly(now);
}

/** Whether the last messages of two requests may have the same author: what follows a question and a result has many words in common. */
function isSameTurn(...interactions: readonly [Interaction, Interaction]): boolean {
  const [old, now] = interactions.map(({ request }) => request?.messages.at(-1)?.role ?? UNKNOWN_ROLE);
  return old === now || old === UNKNOWN_ROLE || now === UNKNOWN_ROLE;
}

const UNKNOWN_ROLE = 'unknown';

/** Whether the only interactions of two tapes are two versions of one, however much was edited. */
function isSameCall(old: Interaction, now: Interaction): boolean {
  if (old.kind !== now.kind) return false;
  if (old.kind !== 'http') return true;
  const [before, after] = [old, now].map(({ http }) => http && `${http.method} ${urlPath(http.url)}`);
  return before === after;
}

function compareHeads(before: Tape, after: Tape): readonly Difference[] {
  const fields = ['format', 'name', 'version'] as const;
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => differenceOf('details', [field], before[field], after[field], { name: `${field} of the tape` }));
}

function pairChanges(
  pair: AlignedPair<Interaction>,
  normaliser: Normaliser,
  changed: ChangedValues,
): readonly PlacedDifference[] {
  const { before, after, moved } = pair;
  const interaction = placeOf(pair);
  if (before === undefined || after === undefined) {
    const one = before ?? after;
    const repeatKeys = one && repeatedMessageKeys(one, before === undefined ? 'added' : 'removed', normaliser);
    return [{ ...wholeInteraction(pair), interaction, repeatKeys }];
  }
  const edits = compareInteraction(before, after, normaliser, changed).map((edit) => ({
    ...edit,
    interaction,
    repeatKeys: repeatKeysOf(edit, normaliser),
  }));
  return moved ? [{ ...wholeInteraction(pair), kind: 'moved', interaction }, ...edits] : edits;
}

/** The changes of a pair that is too large to compare in detail. */
function largePairChanges(
  pair: AlignedPair<Interaction>,
  normaliser: Normaliser,
  changed: ChangedValues,
): readonly PlacedDifference[] {
  const { before, after, moved } = pair;
  const interaction = placeOf(pair);
  if (before === undefined || after === undefined) return [{ ...largeInteraction(before, after), interaction }];
  const edits = isEqualInMeaning(before, after)
    ? withNoise(compareRecording(before, after, normaliser), normaliser, changed)
    : [largeEdit(before, after)];
  const move = moved ? [{ ...largeInteraction(before, after), kind: 'moved' as const }] : [];
  return [...move, ...edits].map((one) => ({ ...one, interaction }));
}

function placeOf({ beforeIndex, afterIndex }: AlignedPair<Interaction>): Omit<ChangePlace, 'path'> {
  return {
    before: beforeIndex,
    after: afterIndex,
  };
}

function wholeInteraction({ before, after }: AlignedPair<Interaction>): Difference {
  return differenceOf('interaction', [], before && interactionExcerpt(before), after && interactionExcerpt(after));
}
