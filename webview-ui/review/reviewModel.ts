import type { ReviewedChange, ReviewState } from '../../src/protocol/review';

/** The changes still to be decided. */
export function openChanges(changes: readonly ReviewedChange[]): readonly ReviewedChange[] {
  return changes.filter(({ decision }) => decision === 'open');
}

/** The field `step` places after `field`, round and round; from nowhere, the first or the last. */
export function neighbour(
  changes: readonly ReviewedChange[],
  field: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = changes.findIndex((change) => change.field === field);
  const from = at === -1 && step === -1 ? 0 : at;
  return changes.at((from + step) % changes.length)?.field;
}

/** The next field to decide, beginning at place `from` and going round; undefined when all is decided. */
export function nextOpen(changes: readonly ReviewedChange[], from: number): string | undefined {
  const inTurn = [...changes.slice(from), ...changes.slice(0, from)];
  return inTurn.find(({ decision }) => decision === 'open')?.field;
}

/**
 * What to look at in `next`, coming from `field` in `previous`: the same change, unless it is gone or has just been
 * rejected; then the next one to decide. Undefined: nothing is left.
 */
export function followUp(
  previous: readonly ReviewedChange[],
  next: readonly ReviewedChange[],
  field: string | undefined,
): string | undefined {
  const isField = (change: ReviewedChange): boolean => change.field === field;
  const before = previous.findIndex(isField);
  const now = next.findIndex(isField);
  if (now === -1) return nextOpen(next, Math.max(before, 0));
  const stays = next[now]?.decision === 'open' || previous[before]?.decision === 'rejected';
  return stays ? field : nextOpen(next, now + 1);
}

/** What a decision about `field` covers. The first run of a case becomes its baseline as a whole or not at all. */
export function decidedFields({ hasBaseline, changes }: ReviewState, field: string): readonly string[] {
  return hasBaseline ? [field] : changes.map((change) => change.field);
}
