import type { RunResult } from '../model/run';
import { counted, grouped, plural } from '../text/counts';
import { joinedByCommas } from '../text/joinedByCommas';
import { message, t } from '../text/l10n';

/**
 * The outcome of a run as a summary groups it. `drifted`: a request has no recording. `review`: only the comparison with the
 * baseline failed. `unchecked`: it passed, and there was nothing to compare it with.
 */
export type RunOutcome = 'drifted' | 'failed' | 'review' | 'unchecked' | 'passed' | 'cancelled';

/** What needs attention comes first. */
export const RUN_OUTCOMES: readonly RunOutcome[] = ['drifted', 'failed', 'review', 'unchecked', 'passed', 'cancelled'];

/** What a summary counts of a run. */
type CountedRun = Pick<RunResult, 'status' | 'failures'> & { readonly checkedNothing?: boolean };

export function runOutcome({ status, failures, checkedNothing }: CountedRun): RunOutcome {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'passed') return checkedNothing ? 'unchecked' : 'passed';
  if (failures.some(({ miss }) => miss !== undefined)) return 'drifted';
  return failures.every(({ kind }) => kind === 'difference') ? 'review' : 'failed';
}

const COUNTS = {
  drifted: message('{0} drifted'),
  failed: message('{0} failed'),
  review: message('{0} to review'),
  cancelled: message('{0} cancelled'),
} as const;

/** `14 cases: 9 passed, 3 drifted, 1 failed, 1 to review`. */
export function summaryLine(results: readonly CountedRun[]): string {
  const outcomes = results.map(runOutcome);
  const count = (wanted: RunOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const passed = count('passed') + count('unchecked');
  const rest = (['drifted', 'failed', 'review', 'cancelled'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => t(COUNTS[outcome], grouped(count(outcome))));
  const parts = [...(passed > 0 || rest.length === 0 ? [t('{0} passed', grouped(passed))] : []), ...rest];
  const sum = t('{0}: {1}.', plural(results.length, 'case'), joinedByCommas(parts));
  const unchecked = count('unchecked');
  if (unchecked === 0) return sum;
  const note = counted(
    unchecked,
    '{0} compared nothing: accept a baseline for it.',
    '{0} compared nothing: accept a baseline for them.',
  );
  return t('{0} {1}', sum, note);
}
