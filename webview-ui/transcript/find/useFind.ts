import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { TranscriptMatch } from '../../../src/core/transcript/searchTranscript';
import { showRange, topEntry } from '../rows/scrolling';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { useActions } from '../state/actions';
import type { InteractionView } from '../state/viewModel';
import { clearHighlights, highlightMatches } from './highlight';
import { firstMatchFrom, MAX_MATCHES, type Match, placeMatches, stepMatch } from './matches';

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
  go: (goal: ScrollTarget) => void,
): Find {
  const [request, setRequest] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [query, setText] = useState('');
  const [index, setIndex] = useState<number>();
  const [from, setFrom] = useState(0);
  const { found, isSearching } = useSearch(isOpen ? query : '', version);
  const matches = usePlacedMatches(found, interactions, accepts);
  // Until the reader steps, the match is the first from where they were when they began to type.
  const wanted = index ?? firstMatchFrom(matches, from);
  const at = Math.min(wanted, Math.max(0, matches.length - 1));
  const match = matches[at];
  useHighlights(feed, isOpen ? query : '', match, go);
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

function usePlacedMatches(
  found: readonly TranscriptMatch[],
  interactions: readonly InteractionView[],
  accepts: (match: Match) => boolean,
): readonly Match[] {
  return useMemo(() => placeMatches(found, interactions).filter(accepts), [found, interactions, accepts]);
}

/** Marks the matches on the page, again whenever the page changes, and once leads the reader to the current one. */
function useHighlights(
  feed: RefObject<HTMLElement | null>,
  query: string,
  match: Match | undefined,
  go: (goal: ScrollTarget) => void,
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

/** Typing settles before the host searches. */
const SETTLE_MS = 60;

interface Search {
  readonly query: string;
  readonly found: readonly TranscriptMatch[];
  readonly isSearching: boolean;
}

const NO_SEARCH: Search = { query: '', found: [], isSearching: false };

/** What the host finds for a query in a version of the tape, as it finds it. What was found for the last one stays until there is something new. */
export function useSearch(query: string, version: number): Search {
  const { search } = useActions();
  const [state, setState] = useState(NO_SEARCH);
  useEffect(() => {
    if (query.trim() === '') {
      setState(NO_SEARCH);
      return undefined;
    }
    let isCurrent = true;
    const run = async (): Promise<void> => {
      const found: TranscriptMatch[] = [];
      for (let from: number | undefined = 0; from !== undefined && isCurrent; ) {
        const { matches, next } = await search({ query, from });
        found.push(...matches);
        from = found.length >= MAX_MATCHES ? undefined : next;
        if (isCurrent) setState({ query, found: found.slice(0, MAX_MATCHES), isSearching: from !== undefined });
      }
    };
    const timer = setTimeout(() => run().catch(() => isCurrent && setState(NO_SEARCH)), SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, version, search]);
  return query === '' ? NO_SEARCH : state;
}

/** What has to be open for a part to be seen whole, for `ViewState.opened`. */
export function openersOf(part: string): readonly string[] {
  const call = /^(?:call|extra|detail)\d+(?=\.)/.exec(part)?.[0];
  return call === undefined ? ['entry', part] : ['entry', call, part];
}
