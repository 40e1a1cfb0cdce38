import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { isRecordable, toRecordedInteraction } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { readBytes, readBytesIfThere, readText } from '../files/readFile';
import { loadTape } from './readTape';
import { copiedContent, type RecordedContent } from './recordedContent';
import type { Recorder } from './recorder';
import { replaceTape, requireRead, withTape } from './replaceTape';
import type { TapePlace } from './takes';
import { removeRecorded, writeRecorded } from './writeRecorded';

interface AdoptedRecording extends TapePlace {
  /** The recordings, which were made by the same rules as a tape. Absolute. Several are joined, in their order. */
  readonly from: readonly string[];
  readonly caseName: string;
  readonly recorder: Recorder;
  /** The case, where its text changes with the tape. */
  readonly caseFile?: CaseEdit | undefined;
}

interface CaseEdit {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Makes a recording the tape, byte for byte, or several of them together; the one that it replaces is kept as a take. Resolves with what puts tape and case
 * back. Rejects with a `UserError`, before anything is written, for a case that has changed.
 */
export async function adoptRecording(adopted: AdoptedRecording): Promise<() => Promise<void>> {
  const { root, tapePath, caseFile } = adopted;
  await requireRead(tapePath);
  const content = await contentOf(adopted);
  const before = await withTape({ root, tapePath }, async (tape) => {
    if (caseFile !== undefined) await requireUnchanged(caseFile);
    const bytes = await readBytesIfThere(tapePath, FILE_LIMITS.tape);
    await tape.replace(content);
    return bytes;
  });
  if (caseFile !== undefined) await writeRecorded(root, caseFile.path, copiedContent(caseFile.after));
  return async () => {
    if (caseFile !== undefined) await writeRecorded(root, caseFile.path, copiedContent(caseFile.before));
    if (before === undefined) await removeRecorded(root, tapePath);
    else await replaceTape({ root, tapePath, content: copiedContent(before) });
  };
}

async function contentOf({ from, tapePath, caseName, recorder }: AdoptedRecording): Promise<RecordedContent> {
  const [first, ...others] = from;
  if (first === undefined)
    throw new UserError(
      () => t('nothing was recorded'),
      () => t('Record it first.'),
    );
  if (others.length === 0) return copiedContent(await readBytes(first, FILE_LIMITS.tape));
  const tapes = [await loadTape(first)];
  for (const path of others) tapes.push(await loadTape(path));
  const interactions = tapes.flatMap(({ tape }) =>
    tape.interactions.map((one) => recorder.interaction(toRecordedInteraction(one))),
  );
  const [{ format, file } = {}] = tapes;
  if (format === undefined || !isRecordable(format))
    throw new UserError(
      () => t('{0} cannot be written as one tape', first),
      () => t('Adopt one sample.'),
    );
  return recorder.tape({ path: tapePath, format, name: caseName, interactions, old: file });
}

async function requireUnchanged({ path, before }: CaseEdit): Promise<void> {
  if ((await readText(path, FILE_LIMITS.case)) === before) return;
  throw new UserError(
    () => t('the case has changed in the meantime'),
    () => t('Adopt again.'),
  );
}
