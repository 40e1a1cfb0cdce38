import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { queryPattern, type TranscriptMatch } from '../../../src/core/transcript/searchTranscript';
import type { TranscriptFilter } from '../rows/filter';
import { showRange, topEntry } from '../rows/scrolling';
import type { TranscriptView } from '../rows/useTranscriptView';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { useActions } from '../state/actions';
import type { InteractionView } from '../state/viewModel';
import { firstMatchFrom, MAX_MATCHES, type Match, placeMatches, stepMatch } from './matches';

export interface Find {
  readonly isOpen: boolean;
  /** Counts the requests to find, also while the bar is open. */
  readonly request: number;
  readonly query: string;
  readonly count: number;
  readonly index: number;
  readonly match: Match | undefined;
  /** The search is still running, so that there may be more matches than `count`. */
  readonly isSearching: boolean;
  show(): void;
  close(): void;
  setQuery(query: string): void;
  step(direction: 1 | -1): void;
}

/** The search in a whole transcript. Its current match is opened, scrolled into view and highlighted. */
export function useFind({ interactions, filter, feed, virtual }: TranscriptView, version: number): Find {
  const [request, setRequest] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [query, setText] = useState('');
  const [index, setIndex] = useState<number>();
  const [from, setFrom] = useState(0);
  const { found, isSearching } = useSearch(isOpen ? query : '', version);
  const matches = useMemo(
    () => placeMatches(found, interactions).filter((match) => passesFilter(match, interactions, filter)),
    [found, interactions, filter],
  );
  // Until the user steps, the match is the first one from where they began to type.
  const wanted = index ?? firstMatchFrom(matches, from);
  const at = Math.min(wanted, Math.max(0, matches.length - 1));
  const match = matches[at];
  useHighlights(feed, isOpen ? query : '', match, virtual.go);
  return {
    isOpen,
    request,
    query,
    count: matches.length,
    index: at,
    match,
    isSearching,
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

/** Whether the filter shows the entry of a match. */
function passesFilter(
  { interaction, key }: Match,
  interactions: readonly InteractionView[],
  filter: TranscriptFilter | undefined,
): boolean {
  const view = interactions[interaction];
  const entry = view?.entries.find((candidate) => candidate.key === key);
  if (filter === undefined || view === undefined || entry === undefined) return true;
  return filter.interaction(view) && filter.entry(entry);
}

/** Highlights the matches whenever the page changes, and scrolls to the current one once. */
function useHighlights(
  feed: RefObject<HTMLElement | null>,
  query: string,
  match: Match | undefined,
  go: (target: ScrollTarget) => void,
): void {
  const { change } = useActions();
  const place = match === undefined ? '' : `${match.key} ${match.part} ${match.nth}`;
  // Matches are made again with every result; only another place is another match.
  useLayoutEffect(() => {
    const root = feed.current;
    if (root === null || query === '') return undefined;
    if (match !== undefined) {
      change({ type: 'open', key: match.key, parts: openersOf(match.part), open: true });
      change({ type: 'source', index: match.interaction, shown: false });
      go({ key: match.key, passing: true });
    }
    let isShown = false;
    const mark = (): void => {
      const range = highlightMatches(root, query, match);
      if (range === undefined || isShown) return;
      isShown = true;
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

/** Milliseconds without typing after which the host searches. */
const SETTLE_MS = 60;

interface Search {
  readonly query: string;
  readonly found: readonly TranscriptMatch[];
  readonly isSearching: boolean;
}

const NO_SEARCH: Search = { query: '', found: [], isSearching: false };

/** The host's matches for a query in a version of the tape, as they arrive. Those of the last query stay until then. */
function useSearch(query: string, version: number): Search {
  const { queries } = useActions();
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
        const { matches, next } = await queries.search({ query, from });
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
  }, [query, version, queries]);
  return query === '' ? NO_SEARCH : state;
}

/** The parts that have to be open for a part to be shown whole, for `ViewState.opened`. */
export function openersOf(part: string): readonly string[] {
  const call = /^(?:call|extra|detail)\d+(?=\.)/.exec(part)?.[0];
  return call === undefined ? ['entry', part] : ['entry', call, part];
}

const ALL = 'find';
const CURRENT = 'find-current';

/**
 * Highlights all matches in the parts on the page, without changing the DOM. Returns the range of the current match, once
 * its part is rendered.
 */
function highlightMatches(root: Element, query: string, current: Match | undefined): Range | undefined {
  const pattern = queryPattern(query);
  clearHighlights();
  if (pattern === undefined) return undefined;
  const found: Range[] = [];
  let currentRange: Range | undefined;
  for (const part of root.querySelectorAll<HTMLElement>('[data-part]')) {
    const ranges = rangesIn(part, pattern);
    if (current !== undefined && isPartOf(part, current)) currentRange = ranges[current.nth] ?? ranges.at(-1);
    found.push(...ranges);
    if (found.length > MAX_MATCHES) break;
  }
  // Where a browser has no custom highlights, stepping from match to match still works.
  CSS.highlights?.set(ALL, new Highlight(...found));
  if (currentRange !== undefined) CSS.highlights?.set(CURRENT, currentHighlight(currentRange));
  return currentRange;
}

function clearHighlights(): void {
  CSS.highlights?.delete(ALL);
  CSS.highlights?.delete(CURRENT);
}

function currentHighlight(range: Range): Highlight {
  const highlight = new Highlight(range);
  highlight.priority = 1;
  return highlight;
}

function isPartOf(part: HTMLElement, { key, part: id }: Match): boolean {
  return part.dataset.part === id && part.closest<HTMLElement>('[data-key]')?.dataset.key === key;
}

/** A match may begin in one element of a part and end in another. */
function rangesIn(part: Element, pattern: RegExp): Range[] {
  const matches = [...(part.textContent ?? '').matchAll(pattern)];
  if (matches.length === 0) return [];
  const nodes = textNodes(part);
  return matches.map((match) => {
    const range = new Range();
    const [startNode, startOffset] = locate(nodes, match.index, false);
    const [endNode, endOffset] = locate(nodes, match.index + match[0].length, true);
    range.setStart(startNode, startOffset);
    range.setEnd(endNode, endOffset);
    return range;
  });
}

interface PlacedText {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
}

function textNodes(part: Element): PlacedText[] {
  const nodes: PlacedText[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), start = 0; node !== null; node = walker.nextNode()) {
    const end = start + (node.nodeValue?.length ?? 0);
    nodes.push({ node, start, end });
    start = end;
  }
  return nodes;
}

/** The text node at an offset. Between two nodes, the one that ends there if `atEnd`, else the one that begins there. */
function locate(nodes: readonly PlacedText[], offset: number, atEnd: boolean): [Node, number] {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const end = nodes[middle]?.end ?? 0;
    if (atEnd ? end >= offset : end > offset) high = middle;
    else low = middle + 1;
  }
  const found = nodes[low];
  if (found === undefined) throw new RangeError(`no text at ${offset}`);
  return [found.node, offset - found.start];
}
