import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { isEntryOpen, textLines, toolLines } from '../state/readingMode';
import type { ViewState } from '../state/viewState';
import { RowLayout, type RowRange } from './rowLayout';
import type { Row } from './rows';
import { barBottom, entryOf, onUserScroll, showEntry } from './scrolling';

/** A row to be shown, wherever it is. */
export interface ScrollTarget {
  readonly key: string;
  /** How far below the bar its top is to be, in pixels; without it, as little is scrolled as needed. */
  readonly offset?: number;
  /** Somebody else scrolls on from there: do not hold it. */
  readonly passing?: true;
  /** Called when the row is on the page and in its place. */
  readonly arrived?: (entry: HTMLElement) => void;
}

export interface VirtualRows {
  /** The rows that are on the page. */
  readonly range: RowRange;
  /** The heights of what is above and below them, in pixels. */
  readonly above: number;
  readonly below: number;
  /** Always the same function. */
  readonly heightOf: (key: string) => number;
  go(goal: ScrollTarget): void;
}

/** How far outside the window rows are on the page, in pixels. A screen reader reads on without scrolling. */
const MARGIN = 700;
const SCREEN_READER_MARGIN = 12_000;
/** Rows to either side of a goal; together they are taller than a window. */
const ROWS_AROUND_TARGET = 12;

/**
 * Keeps the rows near the window on the page, and room for the others. Heights are guessed until they have been measured;
 * while they change above the window, the browser's scroll anchoring holds what is looked at where it is.
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
  const goal = useHeldTarget();
  const margin = document.body.classList.contains('vscode-using-screen-reader') ? SCREEN_READER_MARGIN : MARGIN;
  const goalAt = goal.current && layout.placeOf(goal.current.key);
  const range = goalAt === undefined ? inWindow(feed.current, layout, margin) : around(goalAt, rows.length);
  useOnScroll(() => {
    const needed = inWindow(feed.current, layout, margin / 2);
    if (needed.start < range.start || needed.end > range.end) renderAgain(undefined);
  });
  // On every render: the row may have come with this one, or what is above it may have grown.
  useLayoutEffect(() => {
    if (goal.current === undefined || feed.current === null) return;
    scrollToTarget(feed.current, goal.current);
    if (goal.current.passing && goal.current.reachedAt !== undefined) goal.current = undefined;
  });
  const go = useCallback((next: ScrollTarget): void => {
    goal.current = { ...next, reachedAt: undefined };
    renderAgain(undefined);
  }, []);
  return { range, above: layout.above(range.start), below: layout.from(range.end), heightOf, go };
}

/** A goal that is held in its place while the messages around it come in. */
interface HeldTarget extends ScrollTarget {
  reachedAt: number | undefined;
}

/** Longer than it takes to fetch what is around, in milliseconds. */
const HOLD_MS = 700;

/** The goal, until it has been held long enough or the reader moves on. */
function useHeldTarget(): { current: HeldTarget | undefined } {
  const goal = useRef<HeldTarget | undefined>(undefined);
  useEffect(
    () =>
      onUserScroll(() => {
        goal.current = undefined;
      }),
    [],
  );
  const { current } = goal;
  if (current?.reachedAt !== undefined && performance.now() - current.reachedAt > HOLD_MS) goal.current = undefined;
  return goal;
}

function scrollToTarget(feed: HTMLElement, goal: HeldTarget): void {
  const entry = entryOf(feed, goal.key);
  if (entry === undefined) return;
  if (goal.offset === undefined) showEntry(entry);
  else scrollBy(0, entry.getBoundingClientRect().top - barBottom() - goal.offset);
  if (goal.reachedAt !== undefined) return;
  goal.reachedAt = performance.now();
  goal.arrived?.(entry);
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

/** Tells the layout how tall the rows on the page are, whenever that changes. */
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
const CHARACTERS_A_LINE = 95;

/** How tall a row will be, roughly, before it has been on the page. */
export function estimateHeight({ view, head, raw }: Row, { mode, opened }: Pick<ViewState, 'mode' | 'opened'>): number {
  const above = head === undefined ? 0 : HEAD_HEIGHT + head.summary.changes * CHANGE_HEIGHT;
  if (raw) return above + 400;
  const { key, summary } = view;
  if (!isEntryOpen(mode, summary, opened[key])) return above + CLOSED_HEIGHT;
  const most = summary.tools === undefined ? textLines(mode) : toolLines(mode) * 2 * summary.tools.length;
  const lines = Math.min(Math.ceil(summary.size / CHARACTERS_A_LINE), most);
  return above + CLOSED_HEIGHT + lines * LINE_HEIGHT;
}
