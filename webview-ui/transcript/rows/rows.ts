import { useMemo, useRef } from 'preact/hooks';
import { isShown } from '../state/readingMode';
import type { EntryView, InteractionView } from '../state/viewModel';
import type { ViewState } from '../state/viewState';
import { type AsideRun, asideRuns, asidesAtEnd, entryKeys, openAsides } from './asideRuns';
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
  /** On the first row of messages that are no steps of the conversation: all of them, in one line that opens. */
  readonly aside?: AsideRun;
}

/** The keys of the messages that a row shows, or folds. */
export function keysOf({ view, aside }: Row): readonly string[] {
  return aside === undefined || aside.isOpen ? [view.key] : aside.interactions.flatMap(entryKeys);
}

/** The interaction that a row begins, or those that it folds, each with the key of its first message. */
export function headsOf({
  view,
  head,
  aside,
}: Row): readonly { readonly key: string; readonly head: InteractionView }[] {
  if (aside?.isOpen === false)
    return aside.interactions.map((one) => ({ key: entryKeys(one)[0] ?? view.key, head: one }));
  return head === undefined ? [] : [{ key: view.key, head }];
}

/** The first row of an interaction, or the one that folds it. */
export function rowOf(rows: readonly Row[], interaction: number): Row | undefined {
  return rows.find(({ head, aside }) => {
    const isFolded = aside?.isOpen === false && aside.interactions.some(({ index }) => index === interaction);
    return isFolded || head?.index === interaction;
  });
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
  const asides = filter === undefined && mode !== 'verbose' ? asideRuns(interactions, { opened, sources }) : undefined;
  return interactions.flatMap((head): readonly Row[] => {
    if (filter?.interaction(head) === false) return [];
    const isSource = withSource.has(head.index);
    const aside = asides?.get(head.index);
    const [first] = head.entries;
    if (aside !== undefined && !aside.isOpen)
      return aside.interactions[0] === head && first !== undefined
        ? [{ view: first, head, isSource: false, aside }]
        : [];
    const shown = head.entries.filter(
      (view) => isShown(mode, view.summary, opened[view.key]) && filter?.entry(view) !== false,
    );
    return shown.slice(0, isSource ? 1 : shown.length).map((view, position) => ({
      view,
      isSource,
      ...(position === 0 ? { head } : {}),
      ...(position === 0 && aside?.interactions[0] === head ? { aside } : {}),
    }));
  });
}

/** Interactions, and the rows that were made of them. */
interface Listing {
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
  const known = commonPrefixLength(earlier.interactions, interactions);
  // A run of messages that goes on is folded anew.
  const same = known - asidesAtEnd(interactions.slice(0, known));
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
  const unfolded = useMemo(() => openAsides(interactions, view.opened), [interactions, view.opened]);
  const listing = useRef<Listing>(EMPTY_LISTING);
  useMemo(() => {
    listing.current = EMPTY_LISTING;
  }, [view.mode, opened, unfolded, view.sources, filter]);
  return useMemo(() => {
    listing.current = extendListing(listing.current, interactions, view, filter);
    return listing.current.rows;
  }, [interactions, view.mode, opened, unfolded, view.sources, filter]);
}
