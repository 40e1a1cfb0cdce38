import { formatForNewFile } from '../../core/tapes/registry';
import { isRecordable, type WritableFormat } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { Hidden, RecordedCall } from './hidden';
import { NEW_CASE_TAPE, type StoredTape } from './readTape';
import type { RecordedContent } from './recordedContent';
import type { Recorder } from './recorder';

export interface TakeContent {
  readonly tapePath: string;
  readonly caseName: string;
  readonly interactions: readonly Hidden<RecordedCall>[];
  /** The model that responded. */
  readonly model?: string | undefined;
  readonly recorder: Recorder;
}

/** A whole tape. An existing tape keeps its format; a new one is a MoFA tape, unless its name has another format's extension. */
export async function newTape(take: TakeContent, old: StoredTape | undefined): Promise<RecordedContent> {
  const { tapePath: path, caseName: name, recorder } = take;
  const format = writableFormat(path, old);
  return recorder.tape({ path, format, name, interactions: withModel(format, take), old: old?.file });
}

/** A tape of which the first interactions stay, with a new take behind them. */
export async function resumedTape(take: TakeContent, old: StoredTape, keep: number): Promise<RecordedContent> {
  const { tapePath: path, recorder } = take;
  const format = writableFormat(path, old);
  return recorder.resumedTape({ path, format, old: old.file, keep, interactions: withModel(format, take) });
}

function writableFormat(tapePath: string, old: StoredTape | undefined): WritableFormat {
  const format = old?.format ?? formatForNewFile(tapePath, 'ofCases', NEW_CASE_TAPE);
  if (isRecordable(format)) return format;
  throw new UserError(
    () => t('{0}: Tapedeck reads a {1} but does not write it', tapePath, format.label),
    () => t('Set record_tape under [llm] to another file.'),
  );
}

/** The requests with the model that the provider fills in, except in a format whose own recorder never sees it. */
function withModel(format: WritableFormat, { interactions, model }: TakeContent): readonly Hidden<RecordedCall>[] {
  if (format.recordsModel === false || model === undefined) return interactions;
  return interactions.map((one) => ({ ...one, request: { model, ...one.request } }));
}

/** Where a new take begins: at an interaction, from 0, or at the first request that differs from its recording. */
export type ResumeAt = number | 'drift';
