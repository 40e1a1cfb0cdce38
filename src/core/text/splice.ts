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
