import type { Change } from '../model/change';

/** The part of a change's texts that a list shows while the texts are not loaded. */
interface DeferredTexts {
  /** The text around the first difference. */
  readonly preview: string;
}

export type DeferrableChange = Change & { readonly deferred?: DeferredTexts };

/** Limits in characters, of both sides together. */
interface TextBudget {
  /** For the first change, which is shown first. */
  readonly first: number;
  /** For any other change; longer texts are deferred. */
  readonly each: number;
  readonly all: number;
}

const BUDGET: TextBudget = { first: 3_000_000, each: 60_000, all: 200_000 };

/**
 * Leaves out the texts beyond the budget, which are loaded on demand. The texts of two large tapes without anything in common
 * would delay the first change.
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

/** Characters shown before the first difference, and after its beginning. */
const LEAD = 24;
const LENGTH = 120;

/** The new text, or else the removed one, from a little before the first difference, on one line. */
export function changeExcerpt(before: string, after: string): string {
  let at = 0;
  const shorter = Math.min(before.length, after.length);
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const text = at < after.length ? after : before;
  const near = Math.max(0, at - LEAD);
  // Starts at the beginning of a word, if there is one.
  const start = near === 0 ? 0 : near + text.slice(near, at).search(/\s/) + 1;
  const piece = text
    .slice(start, at + LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${piece}`;
}

/** A side of a change on one line. */
export function clipSide(text: string): string {
  const line = text
    .slice(0, 4 * LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LENGTH ? line : `${line.slice(0, LENGTH)}…`;
}
