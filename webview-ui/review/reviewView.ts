import type { ReviewedChange, ReviewState } from '../../src/protocol/review';
import type { ChangeTexts } from '../../src/protocol/reviewQueue';
import { type ChangeFilter, EVERYTHING, filterChanges } from './changeFilter';

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
  filter: EVERYTHING,
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
