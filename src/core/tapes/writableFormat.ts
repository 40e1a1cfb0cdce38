import type { Interaction, RecordedInteraction } from '../model/interaction';
import type { TapeFormat, WritableSubset } from './format';

/** A format that new tapes can be written in. */
export type WritableFormat = TapeFormat & Required<Pick<TapeFormat, 'serialise'>>;

export function isWritable(format: TapeFormat): format is WritableFormat {
  return format.serialise !== undefined;
}

/** Can what is recorded be written over a tape of this format? Not over what somebody has written by hand. */
export function isRecordable(format: TapeFormat): format is WritableFormat {
  return isWritable(format) && format.isHandWritten === undefined;
}

/** Those that a new file of this format has, in its order. */
export function writableIn<T extends RecordedInteraction>(
  format: TapeFormat,
  interactions: readonly T[],
): readonly T[] {
  return format.writableSubset?.select(interactions) ?? interactions;
}

/** A call of a model, or a step of a script that says what is answered. */
export function isModelResponse({ kind = 'llm', response }: RecordedInteraction): boolean {
  return kind === 'llm' || (kind === 'script' && response !== undefined);
}

/** For formats that are played in order: anything else on them would be taken for the next answer of the model. */
export const MODEL_RESPONSES: WritableSubset = {
  description: 'answers of a model',
  select: (interactions) => interactions.filter(isModelResponse),
};

/** For formats of HTTP: what was recorded without it can be told as a call of a model, where it was one. */
export const HTTP_EXCHANGES: WritableSubset = {
  description: 'HTTP exchanges and calls of models',
  select: (interactions) => interactions.filter((one) => one.http !== undefined || isModelResponse(one)),
};

type SubsetWriter = Required<Pick<TapeFormat, 'serialise' | 'writableSubset'>>;

/** The members of a format that writes what it writableSubset, and nothing else. */
export function writeSubset(writableSubset: WritableSubset, write: SubsetWriter['serialise']): SubsetWriter {
  return { writableSubset, serialise: (name, interactions) => write(name, writableSubset.select(interactions)) };
}

/** What of an interaction can be written to another tape. */
export function toRecordedInteraction({ kind, request, response, http, timing }: Interaction): RecordedInteraction {
  return {
    kind,
    ...(request && { request }),
    ...(response && { response }),
    ...(http && { http }),
    ...(timing && { timing }),
  };
}
