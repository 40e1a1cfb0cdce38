import { basename } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { isNotRead } from '../../core/tapes/notRead';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { LineIndex } from '../../core/text/source';
import { hasCode, isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { withLock } from '../files/lock';
import { requireTapeInProject } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';
import { userStateFile, writeUserState } from '../files/userState';
import type { RecordedContent } from './recordedContent';
import { keepTake, type TapePlace } from './takes';
import { isEmptyTape, requireTapeName } from './tapeName';
import { writeRecorded } from './writeRecorded';

interface NewTake extends TapePlace {
  /** The whole new tape. */
  readonly content: RecordedContent;
}

/** The path of the take that was replaced; absent if there was none. */
export interface ReplacedTake {
  readonly previousTakePath?: string;
}

/**
 * Writes `content` as the tape, atomically, and keeps the take it replaces. All paths are absolute. Rejects like
 * `requireReplaceable`.
 */
export async function replaceTape({ root, tapePath, content }: NewTake): Promise<ReplacedTake> {
  return withTape({ root, tapePath }, (tape) => tape.replace(content));
}

/** A tape that nobody else writes meanwhile. */
export interface TapeTurn {
  replace(content: RecordedContent): Promise<ReplacedTake>;
}

/** Runs `work` while no other recorder, of this process or another, writes the tape: what it reads is what it replaces. */
export function withTape<T>({ root, tapePath }: TapePlace, work: (tape: TapeTurn) => Promise<T>): Promise<T> {
  const replace = async (content: RecordedContent): Promise<ReplacedTake> => {
    await requireReplaceable(root, tapePath);
    return keepingFromFullDisk(tapePath, content, async () => {
      const previousTakePath = await keepTake({ root, tapePath });
      await writeRecorded(root, tapePath, content);
      return previousTakePath === undefined ? {} : { previousTakePath };
    });
  };
  return withLock(root, tapePath, () => work({ replace }));
}

/** Rejects with a `UserError` for a path outside of the project, for a file that is not a tape, and for a name that no tape has. */
export async function requireReplaceable(root: string, tapePath: string): Promise<void> {
  await requireTapeInProject(root, tapePath);
  if (!(await holdsTape(tapePath))) requireTapeName(root, tapePath);
}

/**
 * Rejects like `requireReplaceable`, and for a tape of which a part was not read: it may be of another program, and a recording over
 * it would lose what that wrote.
 */
export async function requireRecordable(root: string, tapePath: string): Promise<void> {
  await requireReplaceable(root, tapePath);
  await requireRead(tapePath);
}

/** Rejects with a `UserError` for a file with content that was not read. */
export async function requireRead(path: string): Promise<void> {
  const bytes = await readBytesIfThere(path, FILE_LIMITS.tape);
  if (bytes === undefined) return;
  const file = decodeTapeFile(path, bytes);
  const unread = detectFormat(file)?.read(file).problems.find(isNotRead);
  if (unread === undefined) return;
  const { line, column } = new LineIndex(file.text).position(unread.span.start);
  throw new UserError(`${path}:${line}:${column}: ${unread.message}`, unread.fix);
}

/** Whether there is a tape at the path; false if there is nothing. Rejects with a `UserError` for any other file. */
export async function holdsTape(path: string): Promise<boolean> {
  const bytes = await readBytesIfThere(path, FILE_LIMITS.tape);
  if (bytes === undefined || (bytes.length === 0 && isEmptyTape(path))) return false;
  if (bytes.length > 0 && detectFormat(decodeTapeFile(path, bytes)) !== undefined) return true;
  throw new UserError(
    () => t('{0} is not a tape in a known format, so it was not overwritten', path),
    () => t('Choose another file for the tape, or remove this one.'),
  );
}

/**
 * Runs `write`, which writes a tape. Where its disk is full, the recording is kept in the user's own folder, which may be on another
 * disk, and the error says where.
 */
async function keepingFromFullDisk<T>(tapePath: string, content: RecordedContent, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isSystemError(error) || !hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    const name = `recordings/${new Date().toISOString().replaceAll(':', '-')}-${basename(tapePath)}`;
    const kept = await writeUserState(name, content.bytes).catch(() => error);
    if (kept === error) throw error;
    throw new UserError(
      () =>
        t(
          '{0} cannot be written: {1}. The recording is kept in {2}',
          tapePath,
          systemReason(error),
          userStateFile(name),
        ),
      () => t('Free some space, and move that file to {0}.', tapePath),
    );
  }
}
