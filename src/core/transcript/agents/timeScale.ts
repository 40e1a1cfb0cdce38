/** When something ran: in milliseconds since 1970, or in places of the order. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Longer pauses are drawn as this share of the time in which something ran. */
const PAUSE_SHARE = 0.02;

/**
 * A scale from 0 to 1 over the time in which something ran. Pauses are shortened; otherwise a session that was continued the next
 * day would be two lines at the edges. Undefined if nothing took any time.
 */
export function timeScale(ranges: readonly TimeRange[]): ((time: number) => number) | undefined {
  const busy = busyRanges(ranges);
  const total = busy.reduce((sum, { start, end }) => sum + end - start, 0);
  if (total === 0) return undefined;
  const places: number[] = [];
  let place = 0;
  for (const [index, { start }] of busy.entries()) {
    const before = busy[index - 1];
    if (before !== undefined) place += before.end - before.start + Math.min(start - before.end, total * PAUSE_SHARE);
    places.push(place);
  }
  const last = busy.at(-1);
  const length = place + (last === undefined ? 0 : last.end - last.start);
  return (time) => {
    const at = Math.max(0, lastUpTo(busy, time));
    const { start = 0, end = 0 } = busy[at] ?? {};
    return ((places[at] ?? 0) + Math.min(Math.max(time - start, 0), end - start)) / length;
  };
}

/** The ranges in which anything ran, in order, with gaps between them. */
function busyRanges(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const busy: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((left, right) => left.start - right.start)) {
    const last = busy.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else busy.push({ start, end });
  }
  return busy;
}

/** The index of the last range that begins at this time or before. */
function lastUpTo(ranges: readonly TimeRange[], time: number): number {
  let from = 0;
  let to = ranges.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.start ?? 0) <= time) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
