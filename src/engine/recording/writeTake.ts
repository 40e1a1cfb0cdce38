import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { formatForNewFile } from '../../core/tapes/registry';
import { spliceTape } from '../../core/tapes/spliceTape';
import { encodeTapeFile } from '../../core/tapes/tapeFile';
import { isRecordable, type WritableFormat } from '../../core/tapes/writableFormat';
import { UserError } from '../errors/userError';
import { NEW_CASE_TAPE, type StoredTape } from './readTape';

export interface TakeContent {
  readonly tapePath: string;
  readonly caseName: string;
  readonly interactions: readonly RecordedCall[];
  /** The model that responded. */
  readonly model?: string | undefined;
}

/** The text of a whole tape. An existing tape keeps its format; a new one is a MoFA tape, unless its name has another format's extension. */
export function newTape({ tapePath, caseName, interactions, model }: TakeContent, old: StoredTape | undefined): string {
  const format = writableFormat(tapePath, old);
  return format.serialise(caseName, withModel(format, interactions, model));
}

/** The bytes of a tape of which the first interactions stay, with a new take behind them. */
export function resumedTape({ tapePath, interactions, model }: TakeContent, old: StoredTape, keep: number): Uint8Array {
  const format = writableFormat(tapePath, old);
  const spliced = spliceTape(format, old.file, keep, withModel(format, interactions, model));
  if ('refused' in spliced) throw new UserError(`${tapePath}: ${spliced.refused}`, 'Leave out --from.');
  return encodeTapeFile(old.file, spliced.text);
}

function writableFormat(tapePath: string, old: StoredTape | undefined): WritableFormat {
  const format = old?.format ?? formatForNewFile(tapePath, 'ofCases', NEW_CASE_TAPE);
  if (isRecordable(format)) return format;
  throw new UserError(
    `${tapePath}: Tapedeck reads a ${format.label} but does not write it`,
    'Set record_tape under [llm] to another file.',
  );
}

/** The requests with the model that the provider fills in, except in a format whose own recorder never sees it. */
function withModel(
  format: WritableFormat,
  interactions: readonly RecordedCall[],
  model: string | undefined,
): readonly RecordedCall[] {
  if (format.recordsModel === false || model === undefined) return interactions;
  return interactions.map((one) => ({ ...one, request: { model, ...one.request } }));
}

/** A request with its response. */
export interface RecordedCall {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
}

/** Where a new take begins: at an interaction, from 0, or at the first request that differs from its recording. */
export type ResumeAt = number | 'drift';
