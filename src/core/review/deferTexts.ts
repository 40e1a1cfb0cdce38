import type { Change } from '../model/change';

/** A change whose texts are left for later, with what a list shows of them. */
export interface DeferredTexts {
  /** Around the first difference. */
  readonly preview: string;
}

export type DeferrableChange = Change & { readonly deferred?: DeferredTexts };

/** Characters of both sides together. */
export interface TextBudget {
  /** The first change, which is looked at first, may have so many. */
  readonly first: number;
  /** Any other with more than these is left for later. */
  readonly each: number;
  readonly all: number;
}

const BUDGET: TextBudget = { first: 3_000_000, each: 60_000, all: 200_000 };

/**
 * The same changes with as many texts as travel at once. Of two tapes of megabytes that have nothing in common, the texts
 * would keep everybody waiting who only wants to see the first change.
 */
export function deferTexts<T extends Change>(
  changes: readonly T[],
  { first, each, all }: TextBudget = BUDGET,
): readonly (T & { readonly deferred?: DeferredTexts })[] {
  let spent = 0;
  return changes.map((change, index) => {
    const size = change.before.length + change.after.length;
    if (index === 0 && size <= first) return change;
    if (size <= each && spent + size <= all) {
      spent += size;
      return change;
    }
    return { ...change, before: '', after: '', deferred: { preview: changeExcerpt(change.before, change.after) } };
  });
}

/** Before the first difference, and after its beginning. */
const LEAD = 24;
const LENGTH = 120;

/** What is new, or else gone, from a little before the first difference, in one line. */
export function changeExcerpt(before: string, after: string): string {
  let at = 0;
  const shorter = Math.min(before.length, after.length);
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const text = at < after.length ? after : before;
  const near = Math.max(0, at - LEAD);
  // From the beginning of a word on, where there is one.
  const start = near === 0 ? 0 : near + text.slice(near, at).search(/\s/) + 1;
  const piece = text
    .slice(start, at + LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${piece}`;
}

/** A side of a change that is only mentioned. */
export function clipSide(text: string): string {
  const line = text
    .slice(0, 4 * LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LENGTH ? line : `${line.slice(0, LENGTH)}…`;
}
