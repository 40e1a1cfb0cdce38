import { prettyJson } from '../json/json';
import type { Change } from '../model/change';
import { acceptedMembers } from '../schema/accepts';
import { parseDocument } from '../schema/parseDocument';
import { object, optional, shape, text, type Value } from '../schema/schema';
import { message } from '../text/l10n';

/** What is decided on a change, and on how many: messages. */
export const DECISION_WORDS = {
  open: message('pending'),
  accepted: message('accepted'),
  rejected: message('rejected'),
} as const;
export const DECISION_COUNTS = {
  open: message('{0} pending'),
  accepted: message('{0} accepted'),
  rejected: message('{0} rejected'),
} as const;

/** The decision about one change. */
const DECISION_RECORD = shape({
  verdict: text('', { enum: ['accepted', 'rejected'] }),
  /** The reviewer's reason. */
  reason: optional(text()),
});
export type DecisionRecord = Value<typeof DECISION_RECORD>;
export type Decision = DecisionRecord['verdict'];

/**
 * The decisions about the changes of one file, by their ids. An id depends on the old and new value and on the place, so a decision
 * applies to the next run as well, as long as the difference is the same.
 */
export type Decisions = Readonly<Record<string, DecisionRecord>>;

const DECISION_FILE = shape({ decisions: object() });

/** Reads a decision file; invalid parts are ignored. */
export function readDecisions(source: string): Decisions {
  return acceptedMembers(DECISION_RECORD, parseDocument(DECISION_FILE, source)?.decisions ?? {});
}

export function writeDecisions(decisions: Decisions): string {
  return `${prettyJson({ version: 1, decisions })}\n`;
}

/** Adds decisions about these changes; without a verdict, removes them. One that is made again stays in its place. */
export function decide(decisions: Decisions, ids: readonly string[], verdict?: Decision, reason?: string): Decisions {
  const decided = new Map(Object.entries(decisions));
  for (const id of ids)
    if (verdict === undefined) decided.delete(id);
    else decided.set(id, { verdict, ...(reason && { reason }) });
  return Object.fromEntries(decided);
}

/** The pending changes of a run. Accepted changes are in the baseline; if one differs again, it is pending again. */
export function pendingInRun(changes: readonly Change[], decisions: Decisions): readonly Change[] {
  return changes.filter(({ id }) => decisions[id]?.verdict !== 'rejected');
}

/** The pending changes of a committed file, in which rejected changes must not remain. */
export function pendingInFile(changes: readonly Change[], decisions: Decisions): readonly Change[] {
  return changes.filter(({ id }) => decisions[id]?.verdict !== 'accepted');
}

/** A change with what is decided about it. */
export type DecidedChange<T extends Change = Change> = T & {
  readonly decision: 'open' | Decision;
  /** The reviewer's reason. */
  readonly reason?: string;
};

/** The changes with what is decided about them; what is pending is open, whatever was decided earlier. */
export function withDecisions<T extends Change>(
  changes: readonly T[],
  pending: readonly Change[],
  decisions: Decisions,
): readonly DecidedChange<T>[] {
  const open = new Set(pending.map(({ id }) => id));
  return changes.map((change) => {
    const { verdict, reason } = decisions[change.id] ?? {};
    if (open.has(change.id) || verdict === undefined) return { ...change, decision: 'open' };
    return { ...change, decision: verdict, reason };
  });
}
