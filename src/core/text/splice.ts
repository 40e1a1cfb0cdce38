import type { Span } from './source';

/** A replacement of one range of a text. Ranges of one edit do not overlap. */
export interface Splice extends Span {
  readonly text: string;
}

/** Applies splices to a text. Throws if two of them overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((left, right) => left.start - right.start || left.end - right.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: inserted } of ordered) {
    if (start < at || end < start || end > text.length)
      throw new RangeError(`splice ${start}–${end} overlaps another or is out of range`);
    parts.push(text.slice(at, start), inserted);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** The replacement of a whole block keeps the line end of the block. */
export function keepLineEnd(text: string, splice: Splice): Splice {
  const lineEnd = /\r?\n$/.exec(text.slice(splice.start, splice.end))?.[0];
  return lineEnd === undefined || splice.text.endsWith('\n') ? splice : { ...splice, text: splice.text + lineEnd };
}

/**
 * Composes two successive edits into one. The offsets of `second` refer to the result of `first`. Splices that touch
 * are merged.
 */
export function composeSplices(text: string, first: readonly Splice[], second: readonly Splice[]): Splice[] {
  if (second.length === 0) return [...first];
  const between = applySplices(text, first);
  const applied = appliedSplices(first);
  return mergeTouchingSpans([...applied, ...second]).map((region) => {
    const own = second.filter(({ start, end }) => start >= region.start && end <= region.end);
    const moved = own.map((splice) => ({
      ...splice,
      start: splice.start - region.start,
      end: splice.end - region.start,
    }));
    const changed = applySplices(between.slice(region.start, region.end), moved);
    return { ...unsplicedSpan(applied, region), text: changed };
  });
}

/** The splices that undo these. Their offsets refer to the result of these. */
export function invertSplices(text: string, splices: readonly Splice[]): Splice[] {
  return appliedSplices(splices).map(({ start, end, from }) => ({
    start,
    end,
    text: text.slice(from.start, from.end),
  }));
}

/** The span that a span of the result had before the splices, none of which is inside it. */
export function spanBeforeSplices(splices: readonly Splice[], span: Span): Span {
  return unsplicedSpan(appliedSplices(splices), span);
}

interface AppliedSplice extends Span {
  /** The replaced range. */
  readonly from: Span;
}

/** The splices with the ranges of their texts in the result. */
function appliedSplices(splices: readonly Splice[]): AppliedSplice[] {
  let shift = 0;
  return [...splices]
    .sort((left, right) => left.start - right.start || left.end - right.end)
    .map(({ start, end, text }) => {
      const applied = { start: start + shift, end: start + shift + text.length, from: { start, end } };
      shift += text.length - (end - start);
      return applied;
    });
}

/** The union of spans; those that touch are merged. */
function mergeTouchingSpans(spans: readonly Span[]): Span[] {
  const regions: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((left, right) => left.start - right.start || left.end - right.end)) {
    const last = regions.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end });
  }
  return regions;
}

/** The range before the splices. A range must not begin or end inside the text of a splice. */
function unsplicedSpan(applied: readonly AppliedSplice[], { start, end }: Span): Span {
  const first = applied.find((splice) => splice.start === start);
  const last = applied.findLast((splice) => splice.end === end);
  return {
    start: first?.from.start ?? unsplicedOffset(applied, start),
    end: last?.from.end ?? unsplicedOffset(applied, end),
  };
}

function unsplicedOffset(applied: readonly AppliedSplice[], offset: number): number {
  const last = applied.findLast(({ end }) => end < offset);
  return last === undefined ? offset : offset - last.end + last.from.end;
}
