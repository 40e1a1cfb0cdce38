import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { type ListRange, type ListRow, offsetsOf, ROW_HEIGHTS, rowsBetween } from './changeRows';

/** So few rows are all on the page. */
const FEW = 100;
/** Pixels above and below what is in view. */
const OVERSCAN = 300;

export interface ShownRows extends ListRange {
  /** Pixels of the rows before and after. */
  readonly above: number;
  readonly below: number;
}

/** The rows of a scrolling list that have to be on the page. `selected` is brought into view when it becomes another one. */
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
    const [start = 0, end = 0] = [offsets[index], offsets[index + 1]];
    if (start < element.scrollTop) element.scrollTop = Math.max(0, start - ROW_HEIGHTS.interaction);
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [selected, rows]);

  if (rows.length <= FEW) return { start: 0, end: rows.length, above: 0, below: 0 };
  const { start, end } = rowsBetween(offsets, view.top - OVERSCAN, view.top + view.height + OVERSCAN);
  const whole = offsets[rows.length] ?? 0;
  return { start, end, above: offsets[start] ?? 0, below: whole - (offsets[end] ?? whole) };
}
