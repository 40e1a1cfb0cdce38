import type { Change } from './change';
import type { Decisions, Verdict } from './decision';

/** A change with what is decided about it. */
export type Decided<T extends Change = Change> = T & {
  readonly decision: 'open' | Verdict;
  /** Why, in the words of who decided. */
  readonly reason?: string;
};

/** The changes with what is decided about them; what is pending is open, whatever was decided earlier. */
export function withDecisions<T extends Change>(
  changes: readonly T[],
  pending: readonly Change[],
  decisions: Decisions,
): readonly Decided<T>[] {
  const open = new Set(pending.map(({ id }) => id));
  return changes.map((change) => {
    const { verdict, reason } = decisions[change.id] ?? {};
    if (open.has(change.id) || verdict === undefined) return { ...change, decision: 'open' };
    return { ...change, decision: verdict, ...(reason !== undefined && { reason }) };
  });
}
