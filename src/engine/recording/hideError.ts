import type { Failure, FailureNotices, ReplayMiss } from '../../core/model/run';
import { english, noticeFor, type Said, says, type Words } from '../../core/text/notice';
import { AgentError, ProviderError } from '../errors/runErrors';
import type { Recorder } from './recorder';

/** The error without secrets, to be shown: providers tend to quote the key that they reject. */
export function hideError<T>(error: T, recorder: Recorder): T | ProviderError | AgentError {
  if (error instanceof ProviderError) {
    const { kind, details } = error;
    const requests = details.requests && recorder.value(details.requests);
    const miss = details.miss && hideMiss(details.miss, recorder);
    return new ProviderError(kind, ...hideTexts(error, recorder), { ...details, miss, requests });
  }
  if (error instanceof AgentError) return new AgentError(error.kind, ...hideTexts(error, recorder));
  return error;
}

function hideTexts({ said: { message, fix } }: ProviderError | AgentError, recorder: Recorder): [Words, Words] {
  const [shown, advice] = [hideSaid(message, recorder), hideSaid(fix, recorder)];
  return [() => says(shown), () => says(advice)];
}

/** What is said without secrets. Where a notice holds a part of one only, the text has it hidden, and no notice. */
export function hideSaid(said: Said, recorder: Recorder): Said {
  const text = recorder.text(english(said));
  return noticeFor(text, recorder.value(said)) ?? text;
}

/** A failure without secrets. Its paths stay: the editor opens them. */
export function hideFailure({ miss, missingTape, step, said, ...failure }: Failure, recorder: Recorder): Failure {
  const path = missingTape === undefined ? {} : { missingTape };
  const shown = recorder.value(failure);
  const texts = Object.entries(recorder.value(said ?? {})).filter(
    ([text, notice]) => noticeFor(shown[text as keyof FailureNotices] ?? '', notice) !== undefined,
  );
  return {
    ...shown,
    ...path,
    ...(texts.length > 0 && { said: Object.fromEntries(texts) }),
    step,
    ...(miss && { miss: hideMiss(miss, recorder) }),
  };
}

function hideMiss({ said, ...miss }: ReplayMiss, recorder: Recorder): ReplayMiss {
  const line = recorder.text(miss.line);
  const notice = noticeFor(line, said && recorder.value(said));
  return { ...miss, line, masks: recorder.value(miss.masks), ...(notice && { said: notice }) };
}
