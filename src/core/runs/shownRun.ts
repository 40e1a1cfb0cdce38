import type { Failure, FailureNotices } from '../model/run';
import type { Trial } from '../model/trial';
import { noticeFor, type Said, says } from '../text/notice';

/** A text that is kept in English, in the language of the user. What says nothing else stays as it is, as in files of earlier versions. */
function shownText(text: string, said: Said | undefined): string {
  return says(noticeFor(text, said) ?? text);
}

/** What a run says: its result, or the record of it. */
interface RunTexts {
  readonly failures: readonly Failure[];
  readonly compared: string;
  readonly said?: Said | undefined;
}

/** A run with its messages in the language of the user. */
export function shownRun<T extends RunTexts>(run: T): T {
  return { ...run, failures: run.failures.map(shownFailure), compared: shownText(run.compared, run.said) };
}

/** A failure in the language of the user. */
function shownFailure(failure: Failure): Failure {
  const { message, fix, line, miss, said = {} } = failure;
  const shown = (name: keyof FailureNotices, text: string) => ({ [name]: shownText(text, said[name]) });
  return {
    ...failure,
    ...shown('message', message),
    ...(fix !== undefined && shown('fix', fix)),
    ...(line !== undefined && shown('line', line)),
    ...(miss && { miss: { ...miss, line: shownText(miss.line, miss.said) } }),
  };
}

/** A trial with its refusals and failures in the language of the user. */
export function shownTrial(trial: Trial): Trial {
  const cases = trial.cases.map((one) =>
    one.refusal === undefined ? one : { ...one, refusal: shownText(one.refusal, one.said) },
  );
  const cells = trial.cells.map((cell) => ({
    ...cell,
    samples: cell.samples.map((one) =>
      one.failure === undefined ? one : { ...one, failure: shownText(one.failure, one.said) },
    ),
  }));
  return { ...trial, cases, cells };
}
