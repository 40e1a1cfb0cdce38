import type { Failure, RunResult } from '../model/run';
import { translated } from '../text/translated';

/** A failure, which is stored in English, in the language of the user. */
function translatedFailure(failure: Failure): Failure {
  const { message, fix, line, miss } = failure;
  return {
    ...failure,
    message: translated(message),
    ...(fix !== undefined && { fix: translated(fix) }),
    ...(line !== undefined && { line: translated(line) }),
    ...(miss && { miss: { ...miss, line: translated(miss.line) } }),
  };
}

/** A run's messages, which are stored in English, in the language of the user. */
export function translatedRun<T extends Pick<RunResult, 'failures' | 'compared'>>(run: T): T {
  return { ...run, failures: run.failures.map(translatedFailure), compared: translated(run.compared) };
}
