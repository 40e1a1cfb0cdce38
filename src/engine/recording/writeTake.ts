import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { mofaFormat } from '../../core/tapes/formats/mofa/index';
import { tapedeckFormat } from '../../core/tapes/formats/tapedeck/index';
import { spliceTape } from '../../core/tapes/spliceTape';
import { encodeTapeFile } from '../../core/tapes/tapeFile';
import { isRecordable, type WritableFormat } from '../../core/tapes/writableFormat';
import { UserError } from '../errors/userError';
import type { StoredTape } from './readTape';

export interface TakeContent {
  readonly tapePath: string;
  readonly caseName: string;
  readonly interactions: readonly RecordedCall[];
  /** Who was asked. */
  readonly model?: string | undefined;
}

/** The text of a whole tape. It keeps the format that it has; a new one is a MoFA tape, unless its name says otherwise. */
export function newTape({ tapePath, caseName, interactions, model }: TakeContent, old: StoredTape | undefined): string {
  const format = writableFormat(tapePath, old);
  return format.serialise(caseName, withModel(format, interactions, model));
}

/** The bytes of a tape of which the first interactions stay, with a new take behind them. */
export function resumedTape({ tapePath, interactions, model }: TakeContent, old: StoredTape, keep: number): Uint8Array {
  const format = writableFormat(tapePath, old);
  const spliced = spliceTape(format, old.file, keep, withModel(format, interactions, model));
  if ('refused' in spliced) throw new UserError(`${tapePath}: ${spliced.refused}`, 'Leave --from away.');
  return encodeTapeFile(old.file, spliced.text);
}

function writableFormat(tapePath: string, old: StoredTape | undefined): WritableFormat {
  if (old === undefined) return /\.jsonl$/i.test(tapePath) ? tapedeckFormat : mofaFormat;
  if (isRecordable(old.format)) return old.format;
  throw new UserError(
    `${tapePath}: a ${old.format.label} is only read, and cannot be recorded`,
    'Name another tape with record_tape under [llm].',
  );
}

/** MoFA's recorder stands before the provider, which fills the model in; every other format has what was asked. */
function withModel(
  format: WritableFormat,
  interactions: readonly RecordedCall[],
  model: string | undefined,
): readonly RecordedCall[] {
  if (format.id === 'mofa' || model === undefined) return interactions;
  return interactions.map((one) => ({ ...one, request: { model, ...one.request } }));
}

/** An answered request. */
export interface RecordedCall {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
}

/** Where a take begins anew: at an interaction, from 0, or where the agent first asks otherwise than was recorded. */
export type ResumeAt = number | 'drift';
