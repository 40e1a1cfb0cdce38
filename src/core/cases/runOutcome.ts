import type { InteractionVerdict, ReplayVerdict } from '../model/artifact';
import type { FailureKind, RunResult } from '../model/run';

/** `3 exact, 1 masked, 2 unused`, in the order in which they first occur; empty if there are none. */
export function formatVerdictCounts(verdicts: readonly InteractionVerdict[]): string {
  const counts = new Map<ReplayVerdict, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ');
}

/** The exit codes of the command line. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  notUnderstood: 2,
  unreachable: 3,
  drifted: 4,
  unused: 5,
  cancelled: 130,
} as const;

const EXIT_CODE_OF_KIND: Record<FailureKind, number> = {
  case: EXIT_CODES.notUnderstood,
  unreachable: EXIT_CODES.unreachable,
  replay: EXIT_CODES.drifted,
  unused: EXIT_CODES.unused,
  provider: EXIT_CODES.failed,
  agent: EXIT_CODES.failed,
  assertion: EXIT_CODES.failed,
  difference: EXIT_CODES.failed,
};

/** The exit code of a set of runs: of several causes, the one to look at first. */
export function exitCode(results: readonly RunResult[]): number {
  if (results.some(({ status }) => status === 'cancelled')) return EXIT_CODES.cancelled;
  const kinds = results.flatMap(({ failures }) => failures.map(({ kind }) => kind));
  if (kinds.length > 0) return exitCodeOf(kinds);
  return results.some(({ status }) => status === 'failed') ? EXIT_CODES.failed : EXIT_CODES.ok;
}

/** The exit code of failures: of several kinds, the one to look at first. */
export function exitCodeOf(kinds: readonly FailureKind[]): number {
  const codes = new Set(kinds.map((kind) => EXIT_CODE_OF_KIND[kind]));
  const precedence = [
    EXIT_CODES.notUnderstood,
    EXIT_CODES.unreachable,
    EXIT_CODES.drifted,
    EXIT_CODES.failed,
    EXIT_CODES.unused,
  ];
  return precedence.find((code) => codes.has(code)) ?? EXIT_CODES.ok;
}
