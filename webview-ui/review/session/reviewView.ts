import type { ChangeTexts, ReviewedChange } from '../../../src/contracts/engine/review';
import type { ReviewState, SameChange } from '../../../src/contracts/pages/reviewPanel';
import { type ChangeFilter, filterChanges, NO_FILTER } from './changeFilter';

/** The ids of the changes of one interaction. */
export function changesOfInteraction(
  changes: readonly ReviewedChange[],
  { id, place, isOfResult }: ReviewedChange,
): readonly string[] {
  if (isOfResult) return changes.filter((other) => other.isOfResult).map((other) => other.id);
  if (place.before === undefined && place.after === undefined) return [id];
  return changes
    .filter((other) => other.place.before === place.before && other.place.after === place.after)
    .map((other) => other.id);
}

/** A review as the page shows it. */
export interface ReviewView {
  /** Undefined until the host has responded. */
  readonly state: ReviewState | undefined;
  /** The id of the selected change; undefined if none is left. */
  readonly selected: string | undefined;
  /** Deferred texts that have been loaded, by the ids of their changes. */
  readonly texts: ReadonlyMap<string, ChangeTexts>;
  /** The ids of the changes that were viewed. */
  readonly viewed: ReadonlySet<string>;
  /** Notes for later decisions, by the ids of their changes. */
  readonly notes: ReadonlyMap<string, string>;
  readonly filter: ChangeFilter;
  /** The same change in all files, while it is shown. */
  readonly same: readonly SameChange[] | undefined;
  /** Whether a decision is being carried out. */
  readonly busy: boolean;
  readonly error: string | undefined;
  /** The outcome of the last action, for screen readers too. */
  readonly announcement: string;
  /** What was staged here since the last decision. */
  readonly staged: 'file' | 'all' | undefined;
}

export const FIRST_VIEW: ReviewView = {
  state: undefined,
  selected: undefined,
  texts: new Map(),
  viewed: new Set(),
  notes: new Map(),
  filter: NO_FILTER,
  same: undefined,
  busy: false,
  error: undefined,
  announcement: '',
  staged: undefined,
};

/** The changes that are listed. */
export function shownChanges({ state, filter, texts }: ReviewView): readonly ReviewedChange[] {
  return filterChanges(state?.changes ?? [], filter, texts);
}

/** The selected change, with its texts as far as they have been loaded. */
export function selectedChange({ state, selected, texts }: ReviewView): ReviewedChange | undefined {
  const change = state?.changes.find(({ id }) => id === selected);
  const later = change && texts.get(change.id);
  if (change === undefined || later === undefined) return change;
  const { deferred: _, ...rest } = change;
  return { ...rest, ...later };
}

/** The changes that are pending. */
export function onlyPending(changes: readonly ReviewedChange[]): readonly ReviewedChange[] {
  return changes.filter(({ decision }) => decision === 'open');
}

/** The id `step` places from `id`, around the ends; without `id`, the first or the last. */
export function neighbouringChange(
  changes: readonly ReviewedChange[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = changes.findIndex((change) => change.id === id);
  const from = at === -1 && step === -1 ? 0 : at;
  return changes.at((from + step) % changes.length)?.id;
}

/** How many other files are in the queue. */
export function otherFiles({ queue: { total, position } }: ReviewState): number {
  return total - (position > 0 ? 1 : 0);
}

/** Whether there is another change to go to, in this file or another. */
export function canStep(state: ReviewState): boolean {
  return state.changes.length > 1 || otherFiles(state) > 0;
}

/** Whether a step from `id` leaves the list; without `id`, it enters the list. */
export function leavesList(changes: readonly ReviewedChange[], id: string | undefined, step: 1 | -1): boolean {
  const at = changes.findIndex((change) => change.id === id);
  if (changes.length === 0) return true;
  return at !== -1 && at === (step === 1 ? changes.length - 1 : 0);
}

/** The next pending id from index `from` on, around the end; undefined if all are decided. */
export function nextPending(changes: readonly ReviewedChange[], from: number): string | undefined {
  const inTurn = [...changes.slice(from), ...changes.slice(0, from)];
  return inTurn.find(({ decision }) => decision === 'open')?.id;
}

/**
 * The change to select in `next` after `id` in `previous`: the same one, unless it is gone or has just been decided; then
 * the next pending one. Undefined if none is left.
 */
export function nextSelection(
  previous: readonly ReviewedChange[],
  next: readonly ReviewedChange[],
  id: string | undefined,
): string | undefined {
  const isSame = (change: ReviewedChange): boolean => change.id === id;
  const before = previous.findIndex(isSame);
  const now = next.findIndex(isSame);
  if (now === -1) return nextPending(next, Math.max(before, 0));
  const wasDecided = before !== -1 && previous[before]?.decision !== 'open';
  const stays = next[now]?.decision === 'open' || wasDecided;
  return stays ? id : nextPending(next, now + 1);
}

/** The ids that a decision on `id` covers: all of them for a first run, which becomes the baseline as a whole or not. */
export function decidedIds({ hasBaseline, changes }: ReviewState, id: string): readonly string[] {
  return hasBaseline ? [id] : changes.map((change) => change.id);
}

/** Whether the later side is a tape that can be opened as it is. */
export function hasTranscript({ kind, compared }: ReviewState): boolean {
  return kind === 'tape' && compared?.isCurrent !== false;
}
