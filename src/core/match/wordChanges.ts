import { diffWordsWithSpace } from 'diff';

/** A piece of two texts laid over each other. */
export interface WordChange {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Comparing may take quadratic time: two texts that take longer than this have nothing in common. */
const TIMEOUT_MS = 200;

/** Two texts laid over each other, word by word. */
export function wordChanges(before: string, after: string): readonly WordChange[] {
  const pieces = diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS });
  if (pieces === undefined) {
    return [
      { type: 'removed', text: before },
      { type: 'added', text: after },
    ];
  }
  return pieces.map(({ added, removed, value }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}
