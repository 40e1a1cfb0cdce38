import { useMemo, useRef } from 'preact/hooks';
import { isShown } from '../state/readingMode';
import type { EntryView, InteractionView } from '../state/viewModel';
import type { ViewState } from '../state/viewState';
import type { TranscriptFilter } from './filter';

/** How many items two lists share from the start, compared by identity. */
export function commonPrefixLength<T>(left: readonly T[], right: readonly T[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) if (left[at] !== right[at]) return at;
  return shorter;
}

/** An article of the feed. */
export interface Row {
  readonly view: EntryView;
  /** On the first row of an interaction: the interaction, for its heading. */
  readonly head?: InteractionView;
  /** Whether the interaction's source takes the place of its messages. */
  readonly isSource: boolean;
}

/** The parts of the view's state that decide which rows there are. */
type RowState = Pick<ViewState, 'mode' | 'opened' | 'sources'>;

/** The rows that a state of the view shows, from top to bottom. */
export function visibleRows(
  interactions: readonly InteractionView[],
  { mode, opened, sources }: RowState,
  filter?: TranscriptFilter,
): readonly Row[] {
  const withSource = new Set(sources);
  return interactions.flatMap((head) => {
    if (filter?.interaction(head) === false) return [];
    const isSource = withSource.has(head.index);
    const shown = head.entries.filter(
      (view) => isShown(mode, view.summary, opened[view.key]) && filter?.entry(view) !== false,
    );
    return shown
      .slice(0, isSource ? 1 : shown.length)
      .map((view, position) => ({ view, isSource, ...(position === 0 ? { head } : {}) }));
  });
}

/** Interactions, and the rows that were made of them. */
export interface Listing {
  readonly interactions: readonly InteractionView[];
  readonly rows: readonly Row[];
}

export const EMPTY_LISTING: Listing = { interactions: [], rows: [] };

/** A listing of `interactions` that keeps the rows of an earlier one up to the first interaction that differs. */
export function extendListing(
  earlier: Listing,
  interactions: readonly InteractionView[],
  view: RowState,
  filter?: TranscriptFilter,
): Listing {
  const same = commonPrefixLength(earlier.interactions, interactions);
  const last = interactions[same - 1]?.index ?? -1;
  const kept = earlier.rows.findLastIndex((row) => row.view.interaction <= last) + 1;
  const rows = [...earlier.rows.slice(0, kept), ...visibleRows(interactions.slice(same), view, filter)];
  return { interactions, rows };
}

/** The rows of the feed. Interactions that arrive extend them; they are made again only for another view. */
export function useRows(
  interactions: readonly InteractionView[],
  view: ViewState,
  filter: TranscriptFilter | undefined,
): readonly Row[] {
  // Only a summary depends on what is open; elsewhere, opening a message must not make thousands of rows again.
  const opened = view.mode === 'summary' ? view.opened : undefined;
  const listing = useRef<Listing>(EMPTY_LISTING);
  useMemo(() => {
    listing.current = EMPTY_LISTING;
  }, [view.mode, opened, view.sources, filter]);
  return useMemo(() => {
    listing.current = extendListing(listing.current, interactions, view, filter);
    return listing.current.rows;
  }, [interactions, view.mode, opened, view.sources, filter]);
}
