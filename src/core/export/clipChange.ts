import type { Change } from '../model/change';
import { clipMedia, type PageMedia } from './clipMedia';

/** A change with a part of its texts. */
export interface ClippedChange extends Change {
  readonly clipped?: {
    /** How many equal characters are left out before the texts. */
    readonly equal: number;
    /** How many characters are left out after them, of both. */
    readonly more: number;
    /** There was no room for any. */
    readonly isWithoutTexts?: true;
  };
  /** In place of the texts, where both are pictures, sounds, or files. */
  readonly media?: { readonly before: PageMedia; readonly after: PageMedia };
}

/** Equal characters that are kept before the first difference of long texts. */
const LEAD = 300;

/** Of long texts, what is around and after the first difference: `limit` characters of both together. */
export function clipChange(change: Change, limit: number): ClippedChange {
  const { before, after } = change;
  const media = change.subject === 'media' ? mediaOf(change) : undefined;
  if (media !== undefined) return { ...change, before: '', after: '', media };
  const length = before.length + after.length;
  if (length <= limit) return change;
  const equal = Math.max(0, commonLength(before, after) - LEAD);
  const end = equal + Math.floor(limit / 2);
  const sides = { before: before.slice(equal, end), after: after.slice(equal, end) };
  const more = length - 2 * equal - sides.before.length - sides.after.length;
  return { ...change, ...sides, clipped: { equal, more } };
}

function mediaOf({ before, after }: Change): ClippedChange['media'] {
  const sides = { before: clipMedia(before), after: clipMedia(after) };
  return sides.before && sides.after && { before: sides.before, after: sides.after };
}

/** The change without texts. */
export function withoutTexts(change: Change): ClippedChange {
  const { recording: _, ...rest } = change;
  return { ...rest, before: '', after: '', clipped: { equal: 0, more: 0, isWithoutTexts: true } };
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  return length;
}
