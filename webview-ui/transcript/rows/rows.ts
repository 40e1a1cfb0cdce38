import { useMemo, useRef } from 'preact/hooks';
import { isShown } from '../state/readingMode';
import type { EntryView, InteractionView } from '../state/viewModel';
import type { ViewState } from '../state/viewState';
import type { TranscriptFilter } from './filter';

/** How many items two lists have in common, the very same objects, from their beginnings on. */
export function commonPrefixLength<T>(left: readonly T[], right: readonly T[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) if (left[at] !== right[at]) return at;
  return shorter;
}

/** An article of the feed. */
export interface Row {
  readonly view: EntryView;
  /** On the first row of an interaction: what its head says. */
  readonly head?: InteractionView;
  /** The source in place of the interaction's messages. */
  readonly raw: boolean;
}

/** What is listed in this state of the view, from top to bottom. */
export function visibleRows(
  interactions: readonly InteractionView[],
  { mode, opened, raw }: Pick<ViewState, 'mode' | 'opened' | 'raw'>,
  filter?: TranscriptFilter,
): readonly Row[] {
  const sources = new Set(raw);
  return interactions.flatMap((head) => {
    if (filter?.interaction(head) === false) return [];
    const isRaw = sources.has(head.index);
    const shown = head.entries.filter(
      (view) => isShown(mode, view.summary, opened[view.key]) && filter?.entry(view) !== false,
    );
    return shown
      .slice(0, isRaw ? 1 : shown.length)
      .map((view, position) => ({ view, raw: isRaw, ...(position === 0 ? { head } : {}) }));
  });
}

/** The rows of these interactions. */
export interface Listing {
  readonly interactions: readonly InteractionView[];
  readonly rows: readonly Row[];
}

export const EMPTY_LISTING: Listing = { interactions: [], rows: [] };

/** Lists anew from the first interaction on that is not what it was in an earlier listing of the same view. */
export function extendListing(
  earlier: Listing,
  interactions: readonly InteractionView[],
  view: Pick<ViewState, 'mode' | 'opened' | 'raw'>,
  filter?: TranscriptFilter,
): Listing {
  const same = commonPrefixLength(earlier.interactions, interactions);
  const last = interactions[same - 1]?.index ?? -1;
  const kept = earlier.rows.findLastIndex((row) => row.view.interaction <= last) + 1;
  const rows = [...earlier.rows.slice(0, kept), ...visibleRows(interactions.slice(same), view, filter)];
  return { interactions, rows };
}

/** The rows of the feed. What is read meanwhile is added to them; only another view lists all of them anew. */
export function useRows(
  interactions: readonly InteractionView[],
  view: ViewState,
  filter: TranscriptFilter | undefined,
): readonly Row[] {
  // Only a summary leaves out what was not opened; else opening a message is no reason to list thousands anew.
  const opened = view.mode === 'summary' ? view.opened : undefined;
  const listing = useRef<Listing>(EMPTY_LISTING);
  useMemo(() => {
    listing.current = EMPTY_LISTING;
  }, [view.mode, opened, view.raw, filter]);
  return useMemo(() => {
    listing.current = extendListing(listing.current, interactions, view, filter);
    return listing.current.rows;
  }, [interactions, view.mode, opened, view.raw, filter]);
}
