import type { Interaction, Tape } from '../tapes/tape';
import { type Aligned, alignFromEnd, alignSequences } from './alignSequences';
import type { Differences } from './change';
import { compareInteraction } from './compareInteraction';
import { found } from './found';
import { type Gathered, gatherChanges, type PlacedFound } from './gatherChanges';
import { InteractionFacts } from './interactionFacts';
import { interactionExcerpt } from './interactionShape';
import { Normaliser } from './normaliser';
import { echoesOf, recognitionOf } from './repeats';
import { similarity } from './similarity';

/** Two tapes, aligned and compared. */
export interface TapeComparison extends Differences, Gathered {
  readonly pairs: readonly Aligned<Interaction>[];
}

/** How alike two interactions are that are the same one, edited. */
const ALIKE = 0.55;
/** With no more changes than these, to say that it was edited is no longer than to say that one is gone and one is new. */
const FEW_CHANGES = 2;
const SOMEWHAT_ALIKE = 0.45;
/** After so many comparisons in detail, likeness has to do. */
const MOST_COUNTED = 1000;

/**
 * What differs between an earlier and a later recording, in meaning. Where the same edit shows in many requests, because
 * each repeats the conversation so far, it is one change.
 */
export function compareTapes(before: Tape, after: Tape, normaliser = new Normaliser()): TapeComparison {
  const { pairs, coarse } = alignInteractions(before.interactions, after.interactions, normaliser);
  const founds = [...compareHeads(before, after), ...pairs.flatMap((pair) => pairChanges(pair, normaliser))];
  const notices = coarse
    ? [
        'These tapes have too little in common to look for what belongs together: their interactions are compared by position.',
      ]
    : [];
  return { pairs, notices, ...gatherChanges(founds, normaliser) };
}

export function alignInteractions(
  before: readonly Interaction[],
  after: readonly Interaction[],
  normaliser: Normaliser,
) {
  const facts = new InteractionFacts(normaliser);
  const likeness = (old: Interaction, now: Interaction): number =>
    old.kind === now.kind ? similarity(facts.words(old), facts.words(now)) : 0;
  const countChanges = (old: Interaction, now: Interaction): number =>
    gatherChanges(compareInteraction(old, now, normaliser), normaliser).changes.length;
  const differsInLittle = (old: Interaction, now: Interaction): boolean =>
    old.kind === now.kind && countChanges(old, now) <= (likeness(old, now) >= SOMEWHAT_ALIKE ? FEW_CHANGES : 1);
  let counted = 0;
  const preference = (old: Interaction, now: Interaction): number => {
    counted += 1;
    const closeness = counted > MOST_COUNTED ? 0 : 1 / (1 + countChanges(old, now));
    return 0.8 * closeness + 0.2 * likeness(old, now);
  };
  const options = {
    exact: facts.exact,
    digests: [facts.named, facts.whole],
    akin: [facts.request, facts.conversation, facts.answer],
    likeness,
    preference,
    alone: (old: Interaction, now: Interaction) => likeness(old, now) >= ALIKE || differsInLittle(old, now),
    nearby: ALIKE,
    anywhere: differsInLittle,
  };
  const found = alignSequences(before, after, options);
  if (!found.pairs.some(({ moved }) => moved)) return found;
  // Which of several equal ones are paired decides what else seems to have moved.
  const other = alignFromEnd(before, after, options);
  return disorder(other.pairs) < disorder(found.pairs) ? other : found;
}

/** How much there is to say about the order and number of the interactions. */
function disorder(pairs: readonly Aligned<Interaction>[]): number {
  return pairs.filter(({ before, after, moved }) => moved || before === undefined || after === undefined).length;
}

function compareHeads(before: Tape, after: Tape): readonly PlacedFound[] {
  const fields = ['format', 'name', 'version'] as const;
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => found('details', [field], before[field], after[field], { name: `${field} of the tape` }));
}

function pairChanges(pair: Aligned<Interaction>, normaliser: Normaliser): readonly PlacedFound[] {
  const { before, after, beforeIndex, afterIndex, moved } = pair;
  const interaction = {
    ...(beforeIndex !== undefined && { before: beforeIndex }),
    ...(afterIndex !== undefined && { after: afterIndex }),
  };
  const [old, now] = [before && interactionExcerpt(before), after && interactionExcerpt(after)];
  const whole = found('interaction', [], old, now);
  if (before === undefined || after === undefined) {
    const one = before ?? after;
    const recognition = one && echoesOf(one, before === undefined ? 'added' : 'removed', normaliser);
    return [{ ...whole, interaction, ...(recognition && { recognition }) }];
  }
  const edits = compareInteraction(before, after, normaliser).map((edit) => ({
    ...edit,
    interaction,
    recognition: recognitionOf(edit, normaliser),
  }));
  return moved ? [{ ...whole, kind: 'moved', interaction }, ...edits] : edits;
}
