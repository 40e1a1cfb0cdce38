import { jsonEqual } from '../json/json';
import type { Interaction, Tape } from '../tapes/tape';
import { type Aligned, alignSequences } from './alignSequences';
import type { Differences } from './change';
import { compareInteraction } from './compareInteraction';
import { found } from './found';
import { type Gathered, gatherChanges, type PlacedFound } from './gatherChanges';
import {
  answerShape,
  conversationShape,
  gist,
  interactionExcerpt,
  interactionShape,
  requestShape,
} from './interactionShape';
import { Normaliser } from './normaliser';
import { echoesOf, recognitionOf } from './repeats';
import { similarity, type Words, wordsOf } from './similarity';

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

function alignInteractions(before: readonly Interaction[], after: readonly Interaction[], normaliser: Normaliser) {
  const words = new Map<Interaction, Words>();
  const wordsIn = (interaction: Interaction): Words => {
    const known = words.get(interaction) ?? wordsOf(normaliser.text(gist(interaction)));
    words.set(interaction, known);
    return known;
  };
  const likeness = (old: Interaction, now: Interaction): number =>
    old.kind === now.kind ? similarity(wordsIn(old), wordsIn(now)) : 0;
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
  return alignSequences(before, after, {
    same: (old, now) => old.id === now.id && jsonEqual(interactionShape(old), interactionShape(now)),
    digests: [
      (interaction) => `${interaction.id ?? ''} ${normaliser.key(interactionShape(interaction))}`,
      (interaction) => normaliser.key(interactionShape(interaction)),
    ],
    akin: [
      (interaction) => normaliser.key(requestShape(interaction)),
      (interaction) => normaliser.key(conversationShape(interaction)),
      (interaction) => normaliser.key(answerShape(interaction)),
    ],
    likeness,
    preference,
    alone: (old, now) => likeness(old, now) >= ALIKE || differsInLittle(old, now),
    nearby: ALIKE,
    anywhere: differsInLittle,
  });
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
