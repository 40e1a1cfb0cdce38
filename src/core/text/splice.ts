import type { Span } from './source';

/** A replacement of one range of a text. Ranges of one edit do not overlap. */
export interface Splice extends Span {
  readonly text: string;
}

/** The text with all splices made; everything outside them stays as it is. Throws when two of them overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((left, right) => left.start - right.start || left.end - right.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: inserted } of ordered) {
    if (start < at || end < start || end > text.length)
      throw new RangeError(`splice ${start}–${end} overlaps or is outside`);
    parts.push(text.slice(at, start), inserted);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Two edits, one after the other, as one: `second` is in places of the text that `first` makes. Changes that touch each
 * other become one.
 */
export function composeSplices(text: string, first: readonly Splice[], second: readonly Splice[]): Splice[] {
  if (second.length === 0) return [...first];
  const between = applySplices(text, first);
  const made = appliedSplices(first);
  return mergeTouchingSpans([...made, ...second]).map((region) => {
    const own = second.filter(({ start, end }) => start >= region.start && end <= region.end);
    const moved = own.map((splice) => ({
      ...splice,
      start: splice.start - region.start,
      end: splice.end - region.start,
    }));
    const changed = applySplices(between.slice(region.start, region.end), moved);
    return { ...unsplicedSpan(made, region), text: changed };
  });
}

/** The splices that undo these: in places of the text that these make. */
export function invertSplices(text: string, splices: readonly Splice[]): Splice[] {
  return appliedSplices(splices).map(({ start, end, from }) => ({
    start,
    end,
    text: text.slice(from.start, from.end),
  }));
}

/** Where something stood before the splices were made, of which none is in it. */
export function spanBeforeSplices(splices: readonly Splice[], span: Span): Span {
  return unsplicedSpan(appliedSplices(splices), span);
}

interface AppliedSplice extends Span {
  /** What it has replaced. */
  readonly from: Span;
}

/** Where each splice has put its text. */
function appliedSplices(splices: readonly Splice[]): AppliedSplice[] {
  let shift = 0;
  return [...splices]
    .sort((left, right) => left.start - right.start || left.end - right.end)
    .map(({ start, end, text }) => {
      const place = { start: start + shift, end: start + shift + text.length, from: { start, end } };
      shift += text.length - (end - start);
      return place;
    });
}

/** The ranges that these cover together. */
function mergeTouchingSpans(spans: readonly Span[]): Span[] {
  const regions: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((left, right) => left.start - right.start || left.end - right.end)) {
    const last = regions.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end });
  }
  return regions;
}

/** Where the edge of a range was before the splices were made. No range ends inside of what one of them has put there. */
function unsplicedSpan(made: readonly AppliedSplice[], { start, end }: Span): Span {
  const first = made.find((one) => one.start === start);
  const last = made.findLast((one) => one.end === end);
  return {
    start: first?.from.start ?? unsplicedOffset(made, start),
    end: last?.from.end ?? unsplicedOffset(made, end),
  };
}

function unsplicedOffset(made: readonly AppliedSplice[], offset: number): number {
  const last = made.findLast(({ end }) => end < offset);
  return last === undefined ? offset : offset - last.end + last.from.end;
}
