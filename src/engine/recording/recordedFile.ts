import { resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type RecordedFile, type Refusal, readRecording } from '../../core/review/recordings';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { contentOf, type FileContent, readContent, readInput, readSameContent } from '../files/readFile';

/** In place of a file on the command line: what is piped into the command. */
export const STDIN = '-';

/** Reads a tape or an artifact. Rejects with a `UserError` when it is neither. */
export async function readRecordedFile(path: string, cwd: string): Promise<RecordedFile> {
  return recordedFileOf(path, await readNamedTape(path, cwd));
}

/** Reads two tapes or artifacts. Equal files are decoded once. Rejects with a `UserError` when one of them is neither. */
export async function readRecordedFiles(
  left: string,
  right: string,
  cwd: string,
): Promise<readonly [RecordedFile, RecordedFile]> {
  const same = await sameContent(left, right, cwd);
  if (same === undefined) return [await readRecordedFile(left, cwd), await readRecordedFile(right, cwd)];
  const content = decodedOnce(same);
  // Their names may still make them different formats.
  return [recordedFileOf(left, tapeFileOf(left, content)), recordedFileOf(right, tapeFileOf(right, content))];
}

/** Undefined also for what cannot be read, which is told where it is read. */
async function sameContent(left: string, right: string, cwd: string): Promise<FileContent | undefined> {
  if (left === STDIN || right === STDIN) return undefined;
  try {
    return await readSameContent(resolve(cwd, left), resolve(cwd, right), FILE_LIMITS.tape);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function decodedOnce({ text, bytes }: FileContent): FileContent {
  let decoded: string | undefined;
  return {
    text: () => {
      decoded ??= text();
      return decoded;
    },
    bytes,
  };
}

/** A tape or an artifact of its content; `name` is for messages. Throws a `UserError` when it is neither. */
function recordedFileOf(name: string, file: TapeFile): RecordedFile {
  return notRefused(readRecording(name, file));
}

/** The value, unless it is a refusal, whose `UserError` is thrown. */
export function notRefused<T extends object>(result: T | Refusal): T {
  if ('refused' in result) throw new UserError(result.refused, result.fix);
  return result;
}

/** A file named on the command line, or stdin, as a tape is read. Rejects with a `UserError` when it cannot be read. */
export async function readNamedTape(path: string, cwd: string): Promise<TapeFile> {
  return tapeFileOf(path, await readNamedFile(path, cwd));
}

/** The content of a file named on the command line, or of stdin. Rejects with a `UserError` when it cannot be read. */
export async function readNamedFile(path: string, cwd: string, limit = FILE_LIMITS.tape): Promise<FileContent> {
  try {
    return await (path === STDIN
      ? readInput(limit).then(contentOf)
      : readContent(resolve(cwd, path), limit, { mayBePipe: true }));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(
      () => `${path}: ${systemReason(error)}`,
      () => t('Correct the path.'),
    );
  }
}
