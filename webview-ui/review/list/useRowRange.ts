import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { type ListRange, type ListRow, offsetsOf, ROW_HEIGHTS, rowsBetween } from './changeRows';

/** Lists of so few rows are rendered whole. */
const FEW = 100;
/** Pixels rendered above and below the visible rows. */
const OVERSCAN = 300;

interface ShownRows extends ListRange {
  /** The heights of the rows before and after them, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** The rows of a scrolling list that have to be on the page. Scrolls to `selected` when it changes. */
export function useRowRange(
  list: RefObject<HTMLElement | null>,
  rows: readonly ListRow[],
  selected: string | undefined,
): ShownRows {
  const [view, setView] = useState({ top: 0, height: 800 });
  const offsets = useMemo(() => offsetsOf(rows.length, (index) => ROW_HEIGHTS[rows[index]?.type ?? 'change']), [rows]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useEffect(() => {
    const element = list.current;
    const index = rows.findIndex(({ key }) => key === selected);
    if (element === null || index === -1) return;
    const start = offsets[index] ?? 0;
    const end = offsets[index + 1] ?? 0;
    if (start < element.scrollTop) element.scrollTop = Math.max(0, start - ROW_HEIGHTS.interaction);
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [selected, rows]);

  if (rows.length <= FEW) return { start: 0, end: rows.length, above: 0, below: 0 };
  const { start, end } = rowsBetween(offsets, view.top - OVERSCAN, view.top + view.height + OVERSCAN);
  const total = offsets[rows.length] ?? 0;
  return { start, end, above: offsets[start] ?? 0, below: total - (offsets[end] ?? total) };
}
