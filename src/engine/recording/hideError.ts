import type { Failure } from '../../core/model/run';
import { AgentError, ProviderError } from '../errors/runErrors';
import type { Recorder } from './recorder';

/** The error without secrets, to be shown: providers tend to quote the key that they reject. */
export function hideError<T>(error: T, recorder: Recorder): T | ProviderError | AgentError {
  if (error instanceof ProviderError) {
    const { kind, message, fix, details } = error;
    const requests = details.requests && recorder.value(details.requests);
    const miss = details.miss && { ...details.miss, line: recorder.text(details.miss.line) };
    return new ProviderError(kind, recorder.text(message), recorder.text(fix), { ...details, miss, requests });
  }
  if (error instanceof AgentError)
    return new AgentError(error.kind, recorder.text(error.message), recorder.text(error.fix));
  return error;
}

/** A failure without secrets. Its paths stay: the editor opens them. */
export function hideFailure({ miss, missingTape, step, ...failure }: Failure, recorder: Recorder): Failure {
  const shown = miss && { ...miss, line: recorder.text(miss.line), masks: recorder.value(miss.masks) };
  const path = missingTape === undefined ? {} : { missingTape };
  return { ...recorder.value(failure), ...path, ...(step && { step }), ...(shown && { miss: shown }) };
}
