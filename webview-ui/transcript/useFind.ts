import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { findMatches, type Match, stepMatch } from './find';
import { clearHighlights, highlightMatches } from './highlight';
import { openersOf } from './parts';
import { showRange, topEntry } from './scrolling';
import type { InteractionView } from './viewModel';
import type { ViewAction } from './viewState';

export interface Find {
  readonly isOpen: boolean;
  /** Grows with every request to find, also while the bar is open. */
  readonly request: number;
  readonly query: string;
  readonly count: number;
  readonly index: number;
  readonly match: Match | undefined;
  show(): void;
  close(): void;
  setQuery(query: string): void;
  step(direction: 1 | -1): void;
}

/** The search over a whole transcript: what it finds is opened, brought into view and marked. */
export function useFind(
  interactions: readonly InteractionView[],
  feed: RefObject<HTMLElement | null>,
  change: (action: ViewAction) => void,
): Find {
  const [request, setRequest] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [query, setText] = useState('');
  const [index, setIndex] = useState(0);
  const matches = useMemo(() => (isOpen ? findMatches(interactions, query) : []), [isOpen, interactions, query]);
  // A match is found again by its place when the tape changes under the search.
  const at = Math.min(index, Math.max(0, matches.length - 1));
  const match = matches[at];
  useMarks(feed, isOpen ? query : '', match, change);
  return {
    isOpen,
    request,
    query,
    count: matches.length,
    index: at,
    match,
    show() {
      const selected = selectedText();
      if (selected !== '') setText(selected);
      setOpen(true);
      setRequest(request + 1);
    },
    close: () => setOpen(false),
    setQuery(next) {
      setText(next);
      setIndex(firstFrom(findMatches(interactions, next), topInteraction(feed.current)));
    },
    step: (direction) => setIndex(stepMatch(matches.length, at, direction)),
  };
}

/** Marks the matches on the page, again whenever the page changes, and once leads the reader to the current one. */
function useMarks(
  feed: RefObject<HTMLElement | null>,
  query: string,
  match: Match | undefined,
  change: (action: ViewAction) => void,
): void {
  const place = match === undefined ? '' : `${match.key} ${match.part} ${match.nth}`;
  // A match is the same as long as its place is.
  useLayoutEffect(() => {
    const root = feed.current;
    if (root === null || query === '') return undefined;
    if (match !== undefined) {
      change({ type: 'open', key: match.key, whats: openersOf(match.part), open: true });
      change({ type: 'raw', index: match.interaction, raw: false });
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

/** The first match that is not above what the reader looks at. */
function firstFrom(matches: readonly Match[], interaction: number): number {
  return Math.max(
    0,
    matches.findIndex((match) => match.interaction >= interaction),
  );
}

function topInteraction(feed: HTMLElement | null): number {
  return Number((feed === null ? undefined : topEntry(feed))?.dataset.interaction ?? 0);
}

function selectedText(): string {
  const text = getSelection()?.toString() ?? '';
  return text.includes('\n') || text.length > 200 ? '' : text;
}
