import { sharedBeginning } from '../base/sharedBeginning';
import type { Filter } from './filter';
import { isShown } from './modes';
import type { EntryView, InteractionView } from './viewModel';
import type { ViewState } from './viewState';

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
  filter?: Filter,
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

export const NOTHING_LISTED: Listing = { interactions: [], rows: [] };

/** Lists anew from the first interaction on that is not what it was in an earlier listing of the same view. */
export function listOn(
  earlier: Listing,
  interactions: readonly InteractionView[],
  view: Pick<ViewState, 'mode' | 'opened' | 'raw'>,
  filter?: Filter,
): Listing {
  const same = sharedBeginning(earlier.interactions, interactions);
  const last = interactions[same - 1]?.index ?? -1;
  const kept = earlier.rows.findLastIndex((row) => row.view.interaction <= last) + 1;
  const rows = [...earlier.rows.slice(0, kept), ...visibleRows(interactions.slice(same), view, filter)];
  return { interactions, rows };
}
