import type { RunResult } from '../model/run';

/**
 * The outcome of a run as a summary groups it. `drifted`: a request has no recording. `review`: only the comparison with the
 * baseline failed. `unchecked`: it passed, and there was nothing to compare it with.
 */
export type RunOutcome = 'drifted' | 'failed' | 'review' | 'unchecked' | 'passed' | 'cancelled';

/** What needs attention comes first. */
export const RUN_OUTCOMES: readonly RunOutcome[] = ['drifted', 'failed', 'review', 'unchecked', 'passed', 'cancelled'];

/** What follows the number of cases. */
const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  drifted: 'drifted',
  failed: 'failed',
  review: 'to review',
  unchecked: 'passed, nothing compared',
  passed: 'passed',
  cancelled: 'cancelled',
};

/** What a summary counts of a run. */
export type CountedRun = Pick<RunResult, 'status' | 'failures'> & { readonly checkedNothing?: boolean };

export function runOutcome({ status, failures, checkedNothing }: CountedRun): RunOutcome {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'passed') return checkedNothing ? 'unchecked' : 'passed';
  if (failures.some(({ miss }) => miss !== undefined)) return 'drifted';
  return failures.every(({ kind }) => kind === 'difference') ? 'review' : 'failed';
}

/** `14 cases: 9 passed, 3 drifted, 1 failed, 1 to review`. */
export function summaryLine(results: readonly CountedRun[]): string {
  const outcomes = results.map(runOutcome);
  const count = (wanted: RunOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const passed = count('passed') + count('unchecked');
  const cases = `${results.length} ${results.length === 1 ? 'case' : 'cases'}`;
  const rest = (['drifted', 'failed', 'review', 'cancelled'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${OUTCOME_WORDS[outcome]}`);
  const parts = [...(passed > 0 || rest.length === 0 ? [`${passed} passed`] : []), ...rest];
  const unchecked = count('unchecked');
  const note =
    unchecked === 0 ? '' : `. ${unchecked} compared nothing: accept a baseline for ${unchecked === 1 ? 'it' : 'them'}`;
  return `${cases}: ${parts.join(', ')}${note}.`;
}
