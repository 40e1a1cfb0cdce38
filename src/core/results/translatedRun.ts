import type { Failure, RunResult } from '../model/run';
import { translated } from '../text/translated';

/** A failure, which is kept in English, as it is shown. */
export function translatedFailure(failure: Failure): Failure {
  const { message, fix, line, miss } = failure;
  return {
    ...failure,
    message: translated(message),
    ...(fix !== undefined && { fix: translated(fix) }),
    ...(line !== undefined && { line: translated(line) }),
    ...(miss && { miss: { ...miss, line: translated(miss.line) } }),
  };
}

/** What is told of a run, which is kept in English, as it is shown. */
export function translatedRun<T extends Pick<RunResult, 'failures' | 'compared'>>(run: T): T {
  return { ...run, failures: run.failures.map(translatedFailure), compared: translated(run.compared) };
}
