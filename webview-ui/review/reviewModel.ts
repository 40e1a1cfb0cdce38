import type { ReviewedChange, ReviewState } from '../../src/protocol/review';

/** The changes still to be decided. */
export function openChanges(changes: readonly ReviewedChange[]): readonly ReviewedChange[] {
  return changes.filter(({ decision }) => decision === 'open');
}

/** The id `step` places after `id`, round and round; from nowhere, the first or the last. */
export function neighbour(
  changes: readonly ReviewedChange[],
  id: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = changes.findIndex((change) => change.id === id);
  const from = at === -1 && step === -1 ? 0 : at;
  return changes.at((from + step) % changes.length)?.id;
}

/** Whether a step from `id` leads out of the list; from nowhere, it leads into it. */
export function leadsOut(changes: readonly ReviewedChange[], id: string | undefined, step: 1 | -1): boolean {
  const at = changes.findIndex((change) => change.id === id);
  if (changes.length === 0) return true;
  return at !== -1 && at === (step === 1 ? changes.length - 1 : 0);
}

/** The next id to decide, beginning at place `from` and going round; undefined when all is decided. */
export function nextOpen(changes: readonly ReviewedChange[], from: number): string | undefined {
  const inTurn = [...changes.slice(from), ...changes.slice(0, from)];
  return inTurn.find(({ decision }) => decision === 'open')?.id;
}

/**
 * What to look at in `next`, coming from `id` in `previous`: the same change, unless it is gone or has just been
 * decided; then the next one to decide. Undefined: nothing is left.
 */
export function followUp(
  previous: readonly ReviewedChange[],
  next: readonly ReviewedChange[],
  id: string | undefined,
): string | undefined {
  const isSame = (change: ReviewedChange): boolean => change.id === id;
  const before = previous.findIndex(isSame);
  const now = next.findIndex(isSame);
  if (now === -1) return nextOpen(next, Math.max(before, 0));
  const wasDecided = before !== -1 && previous[before]?.decision !== 'open';
  const stays = next[now]?.decision === 'open' || wasDecided;
  return stays ? id : nextOpen(next, now + 1);
}

/** What a decision about `id` covers. The first run of a case becomes its baseline as a whole or not at all. */
export function decidedIds({ hasBaseline, changes }: ReviewState, id: string): readonly string[] {
  return hasBaseline ? [id] : changes.map((change) => change.id);
}
