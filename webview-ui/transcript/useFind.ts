import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { TranscriptMatch } from '../../src/core/transcript/searchTranscript';
import { useActions } from './actions';
import { firstFrom, type Match, placeMatches, stepMatch } from './find';
import { clearHighlights, highlightMatches } from './highlight';
import { openersOf } from './parts';
import { showRange, topEntry } from './scrolling';
import { useMatches } from './useMatches';
import type { Goal } from './useVirtualRows';
import type { InteractionView } from './viewModel';

export interface Find {
  readonly isOpen: boolean;
  /** Grows with every request to find, also while the bar is open. */
  readonly request: number;
  readonly query: string;
  readonly count: number;
  readonly index: number;
  readonly match: Match | undefined;
  /** There may be more matches than `count`: the search goes on. */
  readonly isSearching: boolean;
  show(): void;
  close(): void;
  setQuery(query: string): void;
  step(direction: 1 | -1): void;
}

/** The search over a whole transcript: what it finds is opened, brought into view and marked. */
export function useFind(
  interactions: readonly InteractionView[],
  version: number,
  accepts: (match: Match) => boolean,
  feed: RefObject<HTMLElement | null>,
  go: (goal: Goal) => void,
): Find {
  const [request, setRequest] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [query, setText] = useState('');
  const [index, setIndex] = useState<number>();
  const [from, setFrom] = useState(0);
  const { found, isSearching } = useMatches(isOpen ? query : '', version);
  const matches = usePlaced(found, interactions, accepts);
  // Until the reader steps, the match is the first from where they were when they began to type.
  const wanted = index ?? firstFrom(matches, from);
  const at = Math.min(wanted, Math.max(0, matches.length - 1));
  const match = matches[at];
  useMarks(feed, isOpen ? query : '', match, go);
  return {
    ...{ isOpen, request, query, isSearching, match },
    count: matches.length,
    index: at,
    show() {
      const selected = selectedText();
      if (selected !== '') setText(selected);
      setFrom(topInteraction(feed.current));
      setOpen(true);
      setRequest(request + 1);
    },
    close: () => setOpen(false),
    setQuery(next) {
      setText(next);
      setFrom(topInteraction(feed.current));
      setIndex(undefined);
    },
    step: (direction) => setIndex(stepMatch(matches.length, at, direction)),
  };
}

function usePlaced(
  found: readonly TranscriptMatch[],
  interactions: readonly InteractionView[],
  accepts: (match: Match) => boolean,
): readonly Match[] {
  return useMemo(() => placeMatches(found, interactions).filter(accepts), [found, interactions, accepts]);
}

/** Marks the matches on the page, again whenever the page changes, and once leads the reader to the current one. */
function useMarks(
  feed: RefObject<HTMLElement | null>,
  query: string,
  match: Match | undefined,
  go: (goal: Goal) => void,
): void {
  const { change } = useActions();
  const place = match === undefined ? '' : `${match.key} ${match.part} ${match.nth}`;
  // A match is the same as long as its place is.
  useLayoutEffect(() => {
    const root = feed.current;
    if (root === null || query === '') return undefined;
    if (match !== undefined) {
      change({ type: 'open', key: match.key, whats: openersOf(match.part), open: true });
      change({ type: 'raw', index: match.interaction, raw: false });
      go({ key: match.key, passing: true });
    }
    let seen = false;
    const mark = (): void => {
      const range = highlightMatches(root, query, match);
      if (range === undefined || seen) return;
      seen = true;
      showRange(range);
    };
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    const frame = requestAnimationFrame(mark);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      clearHighlights();
    };
  }, [place, query]);
}

function topInteraction(feed: HTMLElement | null): number {
  return Number((feed === null ? undefined : topEntry(feed))?.dataset.interaction ?? 0);
}

function selectedText(): string {
  const text = getSelection()?.toString() ?? '';
  return text.includes('\n') || text.length > 200 ? '' : text;
}
