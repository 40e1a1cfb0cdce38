import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { isEntryOpen, textLines, toolLines } from '../state/readingMode';
import type { ViewState } from '../state/viewState';
import { RowLayout, type RowRange } from './rowLayout';
import type { Row } from './rows';
import { barBottom, entryOf, focusEntry, onUserScroll, showEntry } from './scrolling';

/** A row to scroll to, wherever it is. */
export interface ScrollTarget {
  readonly key: string;
  /** Pixels between the bar and the top of the row; without it, the page scrolls as little as needed. */
  readonly offset?: number;
  /** The row is not held in place, because the caller scrolls on from there. */
  readonly passing?: true;
  /** Called once the row is on the page and in its place. */
  readonly onArrival?: (entry: HTMLElement) => void;
}

export interface VirtualRows {
  /** The rows on the page. */
  readonly range: RowRange;
  /** The heights of the rows above and below them, in pixels. */
  readonly above: number;
  readonly below: number;
  /** Always the same function. */
  readonly heightOf: (key: string) => number;
  /** Always the same functions. */
  go(target: ScrollTarget): void;
  /** Scrolls to the row of a key and focuses it. */
  goAndFocus(key: string): void;
}

/** How far outside the window rows are rendered, in pixels. A screen reader reads on without scrolling. */
const MARGIN = 700;
const SCREEN_READER_MARGIN = 12_000;
/** Rows rendered on either side of a target; together they are taller than a window. */
const ROWS_AROUND_TARGET = 12;
/** Pixels between the bar and a message that the user went to. */
export const FOCUS_OFFSET = 12;

/**
 * Renders the rows near the window and leaves room for the others. Heights are estimated until they have been measured;
 * when they change above the window, the browser's scroll anchoring keeps the visible rows in place.
 */
export function useVirtualRows(
  feed: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  view: ViewState,
): VirtualRows {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const layout = useMemo(() => new RowLayout(), []);
  layout.show(rows, (row) => estimateHeight(row, view));
  const heightOf = useCallback((key: string) => layout.height(key), []);
  useMeasuring(feed, layout, () => renderAgain(undefined));
  const target = useHeldTarget();
  const margin = document.body.classList.contains('vscode-using-screen-reader') ? SCREEN_READER_MARGIN : MARGIN;
  const targetAt = target.current && layout.placeOf(target.current.key);
  const range = targetAt === undefined ? inWindow(feed.current, layout, margin) : around(targetAt, rows.length);
  useOnScroll(() => {
    const needed = inWindow(feed.current, layout, margin / 2);
    if (needed.start < range.start || needed.end > range.end) renderAgain(undefined);
  });
  // On every render: the row may have been added by this one, or the rows above it may have grown.
  useLayoutEffect(() => {
    if (target.current === undefined || feed.current === null) return;
    scrollToTarget(feed.current, target.current, layout.shownKey(target.current.key));
    if (target.current.passing && target.current.reachedAt !== undefined) target.current = undefined;
  });
  const go = useCallback((next: ScrollTarget): void => {
    target.current = { ...next, reachedAt: undefined };
    renderAgain(undefined);
  }, []);
  const goAndFocus = useCallback((key: string) => go({ key, offset: FOCUS_OFFSET, onArrival: focusEntry }), []);
  return { range, above: layout.above(range.start), below: layout.from(range.end), heightOf, go, goAndFocus };
}

/** A target that is held in place while the messages around it arrive. */
interface HeldTarget extends ScrollTarget {
  reachedAt: number | undefined;
}

/** Milliseconds; longer than it takes to fetch the messages around a target. */
const HOLD_MS = 700;

/** The target, until it has been held long enough or the user moves on. */
function useHeldTarget(): { current: HeldTarget | undefined } {
  const target = useRef<HeldTarget | undefined>(undefined);
  useEffect(
    () =>
      onUserScroll(() => {
        target.current = undefined;
      }),
    [],
  );
  const { current } = target;
  if (current?.reachedAt !== undefined && performance.now() - current.reachedAt > HOLD_MS) target.current = undefined;
  return target;
}

function scrollToTarget(feed: HTMLElement, target: HeldTarget, key: string): void {
  const entry = entryOf(feed, key);
  if (entry === undefined) return;
  if (target.offset === undefined) showEntry(entry);
  else scrollBy(0, entry.getBoundingClientRect().top - barBottom() - target.offset);
  if (target.reachedAt !== undefined) return;
  target.reachedAt = performance.now();
  target.onArrival?.(entry);
}

function inWindow(feed: HTMLElement | null, layout: RowLayout, margin: number): RowRange {
  const top = feed === null ? 0 : -feed.getBoundingClientRect().top;
  return layout.between(top - margin, top + innerHeight + margin);
}

function around(index: number, count: number): RowRange {
  return { start: Math.max(0, index - ROWS_AROUND_TARGET), end: Math.min(count, index + ROWS_AROUND_TARGET) };
}

function useOnScroll(onScroll: () => void): void {
  const latest = useRef(onScroll);
  latest.current = onScroll;
  useEffect(() => {
    const listener = (): void => latest.current();
    addEventListener('scroll', listener, { passive: true });
    addEventListener('resize', listener);
    return () => {
      removeEventListener('scroll', listener);
      removeEventListener('resize', listener);
    };
  }, []);
}

/** Passes the heights of the rows on the page to the layout, whenever they change. */
function useMeasuring(feed: RefObject<HTMLElement | null>, layout: RowLayout, onChange: () => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const changed = entries.filter(({ target, borderBoxSize }) => {
          const key = target instanceof HTMLElement ? target.dataset.key : undefined;
          const height = borderBoxSize[0]?.blockSize ?? 0;
          return key !== undefined && height > 0 && layout.measure(key, height);
        });
        if (changed.length > 0) latest.current();
      }),
    [],
  );
  useLayoutEffect(() => {
    for (const entry of feed.current?.querySelectorAll('[data-key]') ?? []) observer.observe(entry);
  });
  useEffect(() => () => observer.disconnect(), []);
}

const CLOSED_HEIGHT = 40;
const HEAD_HEIGHT = 60;
const CHANGE_HEIGHT = 40;
const LINE_HEIGHT = 20;
const SOURCE_HEIGHT = 400;
const CHARACTERS_A_LINE = 95;

/** A rough height for a row that has never been on the page, in pixels. */
function estimateHeight(
  { view, head, isSource, aside }: Row,
  { mode, opened }: Pick<ViewState, 'mode' | 'opened'>,
): number {
  if (aside?.isOpen === false) return CLOSED_HEIGHT;
  const above = head === undefined ? 0 : HEAD_HEIGHT + head.summary.changes * CHANGE_HEIGHT;
  if (isSource) return above + SOURCE_HEIGHT;
  const { key, summary } = view;
  if (!isEntryOpen(mode, summary, opened[key])) return above + CLOSED_HEIGHT;
  const most = summary.tools === undefined ? textLines(mode) : toolLines(mode) * 2 * summary.tools.length;
  const lines = Math.min(Math.ceil(summary.size / CHARACTERS_A_LINE), most);
  return above + CLOSED_HEIGHT + lines * LINE_HEIGHT;
}
