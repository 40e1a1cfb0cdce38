import { useMemo, useRef } from 'preact/hooks';
import type { Filter } from './filter';
import { type Listing, listOn, NOTHING_LISTED, type Row } from './rows';
import type { InteractionView } from './viewModel';
import type { ViewState } from './viewState';

/** The rows of the feed. What is read meanwhile is added to them; only another view lists all of them anew. */
export function useRows(
  interactions: readonly InteractionView[],
  view: ViewState,
  filter: Filter | undefined,
): readonly Row[] {
  // Only a summary leaves out what was not opened; else opening a message is no reason to list thousands anew.
  const opened = view.mode === 'summary' ? view.opened : undefined;
  const listing = useRef<Listing>(NOTHING_LISTED);
  useMemo(() => {
    listing.current = NOTHING_LISTED;
  }, [view.mode, opened, view.raw, filter]);
  return useMemo(() => {
    listing.current = listOn(listing.current, interactions, view, filter);
    return listing.current.rows;
  }, [interactions, view.mode, opened, view.raw, filter]);
}
