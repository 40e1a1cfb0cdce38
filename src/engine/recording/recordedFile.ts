import { resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import { looksLikeCase } from '../../core/cases/toml/looksLikeCase';
import type { Artifact } from '../../core/model/artifact';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import { detectFormat } from '../../core/tapes/readTape';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { contentOf, type FileContent, readContent, readInput } from '../files/readFile';

/** In place of a file on the command line: what is piped into the command. */
export const STDIN = '-';

/** A file that holds recorded runs. */
export type RecordedFile =
  | { readonly kind: 'tape'; readonly file: TapeFile; readonly tape: Tape; readonly format: TapeFormat }
  | { readonly kind: 'artifact'; readonly text: string; readonly artifact: Artifact };

/** Reads a tape or an artifact. Rejects with a `UserError` when it is neither. */
export async function readRecordedFile(path: string, cwd: string): Promise<RecordedFile> {
  return recordedFileOf(path, await readNamedTape(path, cwd));
}

/** A tape or an artifact of its content; `name` is for messages. Throws a `UserError` when it is neither. */
export function recordedFileOf(name: string, file: TapeFile): RecordedFile {
  const format = detectFormat(file);
  if (format !== undefined) return { kind: 'tape', file, tape: format.read(file), format };
  const { text } = file;
  const { value: artifact } = readArtifact(text);
  if (artifact !== undefined) return { kind: 'artifact', text, artifact };
  if (looksLikeCase(text)) throw new UserError(`${name} is a case, not a recording`, `Run it: tapedeck run ${name}`);
  throw new UserError(
    `${name} is neither a tape nor an artifact in a known format`,
    'Pass a tape, or an artifact or baseline of Tapedeck or MoFA.',
  );
}

/** A file named on the command line, or stdin, as a tape is read. Rejects with a `UserError` when it cannot be read. */
export async function readNamedTape(path: string, cwd: string): Promise<TapeFile> {
  return tapeFileOf(path, await readNamedFile(path, cwd));
}

/** The content of a file named on the command line, or of stdin. Rejects with a `UserError` when it cannot be read. */
export async function readNamedFile(path: string, cwd: string, limit = FILE_LIMITS.tape): Promise<FileContent> {
  try {
    return await (path === STDIN ? readInput(limit).then(contentOf) : readContent(resolve(cwd, path), limit));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Correct the path.');
  }
}
