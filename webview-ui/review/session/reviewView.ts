import type { ChangeTexts, ReviewedChange } from '../../../src/protocol/review';
import type { ReviewState } from '../../../src/protocol/reviewPanel';
import { type ChangeFilter, filterChanges, NO_FILTER } from './changeFilter';

/** The ids of the changes of one interaction. */
export function changesOfInteraction(
  changes: readonly ReviewedChange[],
  { id, place }: ReviewedChange,
): readonly string[] {
  if (place.before === undefined && place.after === undefined) return [id];
  return changes
    .filter((other) => other.place.before === place.before && other.place.after === place.after)
    .map((other) => other.id);
}

/** All that the page shows of a review. */
export interface ReviewView {
  /** Undefined until the host has answered. */
  readonly state: ReviewState | undefined;
  /** The id of the change that is looked at; undefined when nothing is left. */
  readonly selected: string | undefined;
  /** The texts that came later, by the ids of their changes. */
  readonly texts: ReadonlyMap<string, ChangeTexts>;
  /** Ids of the changes that were looked at. */
  readonly viewed: ReadonlySet<string>;
  /** Reasons for decisions to come, by the ids of the changes. */
  readonly notes: ReadonlyMap<string, string>;
  readonly filter: ChangeFilter;
  /** A decision is under way. */
  readonly busy: boolean;
  readonly error: string | undefined;
  /** What came of the last action; a screen reader says it. */
  readonly announcement: string;
}

export const FIRST_VIEW: ReviewView = {
  state: undefined,
  selected: undefined,
  texts: new Map(),
  viewed: new Set(),
  notes: new Map(),
  filter: NO_FILTER,
  busy: false,
  error: undefined,
  announcement: '',
};

/** The changes that are listed. */
export function shownChanges({ state, filter, texts }: ReviewView): readonly ReviewedChange[] {
  return filterChanges(state?.changes ?? [], filter, texts);
}

/** The change that is looked at, with its texts as far as they have come. */
export function selectedChange({ state, selected, texts }: ReviewView): ReviewedChange | undefined {
  const change = state?.changes.find(({ id }) => id === selected);
  const later = change && texts.get(change.id);
  if (change === undefined || later === undefined) return change;
  const { deferred: _, ...rest } = change;
  return { ...rest, ...later };
}

/** The changes still to be decided. */
export function openChanges(changes: readonly ReviewedChange[]): readonly ReviewedChange[] {
  return changes.filter(({ decision }) => decision === 'open');
}

/** The id `step` places after `id`, round and round; from nowhere, the first or the last. */
export function neighbouringChange(
  changes: readonly ReviewedChange[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = changes.findIndex((change) => change.id === id);
  const from = at === -1 && step === -1 ? 0 : at;
  return changes.at((from + step) % changes.length)?.id;
}

/** Whether a step from `id` leads out of the list; from nowhere, it leads into it. */
export function leavesList(changes: readonly ReviewedChange[], id: string | undefined, step: 1 | -1): boolean {
  const at = changes.findIndex((change) => change.id === id);
  if (changes.length === 0) return true;
  return at !== -1 && at === (step === 1 ? changes.length - 1 : 0);
}

/** The next id to decide, beginning at place `from` and going round; undefined when all is decided. */
export function nextOpen(changes: readonly ReviewedChange[], from: number): string | undefined {
  const inTurn = [...changes.slice(from), ...changes.slice(0, from)];
  return inTurn.find(({ decision }) => decision === 'open')?.id;
}

/**
 * What to look at in `next`, coming from `id` in `previous`: the same change, unless it is gone or has just been
 * decided; then the next one to decide. Undefined: nothing is left.
 */
export function nextSelection(
  previous: readonly ReviewedChange[],
  next: readonly ReviewedChange[],
  id: string | undefined,
): string | undefined {
  const isSame = (change: ReviewedChange): boolean => change.id === id;
  const before = previous.findIndex(isSame);
  const now = next.findIndex(isSame);
  if (now === -1) return nextOpen(next, Math.max(before, 0));
  const wasDecided = before !== -1 && previous[before]?.decision !== 'open';
  const stays = next[now]?.decision === 'open' || wasDecided;
  return stays ? id : nextOpen(next, now + 1);
}

/** What a decision about `id` covers. The first run of a case becomes its baseline as a whole or not at all. */
export function decidedIds({ hasBaseline, changes }: ReviewState, id: string): readonly string[] {
  return hasBaseline ? [id] : changes.map((change) => change.id);
}
