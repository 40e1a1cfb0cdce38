import { currentInstead } from './l10n';
import type { TextParts } from './textParts';

/** Computes a value on first use and keeps it. */
export function lazy<T>(compute: () => T): () => T {
  let computed: { readonly value: T; readonly instead: object | undefined } | undefined;
  return () => {
    const instead = currentInstead();
    if (computed?.instead !== undefined && computed.instead !== instead) computed = undefined;
    computed ??= { value: compute(), instead };
    return computed.value;
  };
}

/** Clears the cache of each memoised function. */
const resets: (() => void)[] = [];
let isResetScheduled = false;

/**
 * Caches the last result of a function until the current task ends: detecting the format of a file, reading it and
 * editing it need the same results for the same text. No text is kept longer.
 */
export function memoiseLast<T, Text extends TextParts = string>(compute: (text: Text) => T): (text: Text) => T {
  let last: { readonly text: Text; readonly value: T; readonly instead: object | undefined } | undefined;
  resets.push(() => {
    last = undefined;
  });
  return (text) => {
    const instead = currentInstead();
    if (last?.text === text && last.instead === instead) return last.value;
    const value = compute(text);
    last = { text, value, instead };
    if (!isResetScheduled) scheduleReset();
    return value;
  };
}

/** Schedules one reset for all caches, because scheduling takes longer than many a computation. */
function scheduleReset(): void {
  isResetScheduled = true;
  queueMicrotask(() => {
    isResetScheduled = false;
    for (const reset of resets) reset();
  });
}

/**
 * Caches a value weakly: it is created again once it has been garbage collected, because a value that can be computed
 * from its source need not stay in memory beside it.
 */
export function weakMemo<T extends object>(create: () => T, first?: T): () => T {
  let reference = first && new WeakRef(first);
  return () => {
    const cached = reference?.deref();
    if (cached !== undefined) return cached;
    const created = create();
    if (currentInstead() === undefined) reference = new WeakRef(created);
    return created;
  };
}

/**
 * Returns the same text in contiguous memory. V8 keeps a concatenated string as a tree until its characters are read,
 * so that a text which a parser has built character by character takes more than 30 bytes for each.
 */
export function flattenString(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
