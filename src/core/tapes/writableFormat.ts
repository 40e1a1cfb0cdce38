import type { Interaction, RecordedInteraction } from '../model/interaction';
import { message } from '../text/l10n';
import type { Destination, TapeFormat, WritableSubset } from './format';
import { decodeTapeFile, type TapeFile, tapeFileFromText } from './tapeFile';

/** A format that new tapes can be written in. */
export type WritableFormat = TapeFormat & Required<Pick<TapeFormat, 'serialise'>>;

export function isWritable(format: TapeFormat): format is WritableFormat {
  return format.serialise !== undefined;
}

/** A new tape of a format, as it is when its file is read again. */
export function newTapeFile(
  format: WritableFormat,
  name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination = { path: '' },
): TapeFile {
  const bytes = format.serialiseBytes?.(name, interactions);
  return bytes === undefined
    ? tapeFileFromText(format.serialise(name, interactions, into), into.path)
    : decodeTapeFile(into.path, bytes);
}

/** Whether a recording may be written over a tape of this format, which excludes files that are written by hand. */
export function isRecordable(format: TapeFormat): format is WritableFormat {
  return isWritable(format) && format.isHandWritten === undefined;
}

/** The interactions that a new file of this format has a place for, in its order. */
export function writableIn<T extends RecordedInteraction>(
  format: TapeFormat,
  interactions: readonly T[],
): readonly T[] {
  const whole = interactions.every(isWhole) ? interactions : interactions.filter(isWhole);
  return format.writableSubset?.select(whole) ?? whole;
}

/** Whether it is no request without its response. No format has words for what was not kept: it would become an empty response. */
export function isWhole({ http }: RecordedInteraction): boolean {
  return http?.notKept === undefined;
}

/** Whether an interaction is a model call, or a step of a script with a response. */
export function isModelResponse({ kind = 'llm', response }: RecordedInteraction): boolean {
  return kind === 'llm' || (kind === 'script' && response !== undefined);
}

/** For formats that are replayed in order, where any other interaction would be taken for the model's next response. */
export const MODEL_RESPONSES: WritableSubset = {
  description: message('responses of a model'),
  select: (interactions) => interactions.filter(isModelResponse),
};

/** For HTTP formats: an interaction that was recorded without HTTP can be written as a model call, if it was one. */
export const HTTP_EXCHANGES: WritableSubset = {
  description: message('HTTP exchanges and model calls'),
  select: (interactions) => interactions.filter((one) => one.http !== undefined || isModelResponse(one)),
};

type SubsetWriter = Required<Pick<TapeFormat, 'serialise' | 'writableSubset'>>;

/** The members of a format that writes only a subset of interactions. */
export function writeSubset(writableSubset: WritableSubset, write: SubsetWriter['serialise']): SubsetWriter {
  return {
    writableSubset,
    serialise: (name, interactions, into) => write(name, writableSubset.select(interactions), into),
  };
}

/** The part of an interaction that can be written to another tape. */
export function toRecordedInteraction({
  kind,
  request,
  response,
  http,
  mcp,
  timing,
}: Interaction): RecordedInteraction {
  return {
    kind,
    request,
    response,
    http,
    mcp,
    timing,
  };
}
