import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import { detectFormat } from '../../core/tapes/readTape';
import { formatById } from '../../core/tapes/registry';
import { decodeTapeFile, type TapeFile } from '../../core/tapes/tapeFile';
import { LineIndex } from '../../core/text/source';
import { ProviderError } from '../errors/runErrors';
import { hasCode, isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readBytes } from '../files/readFile';

export interface TapeOnDisk {
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly tape: Tape;
}

/** Reads a tape for a replay. Rejects with a `UserError` when it is none, or broken: half a tape would answer wrongly. */
export async function loadTape(path: string): Promise<TapeOnDisk> {
  const file = decodeTapeFile(path, await readTapeBytes(path));
  const format = detectFormat(file);
  if (format === undefined) {
    throw new UserError(`${path} is no tape of a known format`, `See what is wrong with it: tapedeck verify ${path}`);
  }
  const tape = format.read(file);
  const problem = tape.problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return { file, format, tape };
  const { line, column } = new LineIndex(file.text).position(problem.span.start);
  throw new UserError(
    `${path}:${line}:${column}: ${problem.message}`,
    problem.fix ?? 'Repair the tape, or record it again.',
  );
}

async function readTapeBytes(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path, FILE_LIMITS.tape);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Record it first, or correct its path.');
  }
}

/** The format of a new tape of a case, and the one that a file of no format is read as: its reader names what is wrong. */
export const NEW_CASE_TAPE = 'mofa';

/** A tape as it is on disk. */
export interface StoredTape {
  readonly path: string;
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly tape: Tape;
}

/** Reads a tape for a replay. Rejects with a `ProviderError` in MoFA's words when that cannot be done. */
export async function loadTapeForReplay(path: string): Promise<StoredTape> {
  const file = decodeTapeFile(path, await readReplayBytes(path));
  const format = detectFormat(file) ?? formatById(NEW_CASE_TAPE);
  const tape = format.read(file);
  const problem = tape.problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return { path, file, format, tape };
  const { line, column } = new LineIndex(file.text).position(problem.span.start);
  throw new ProviderError(
    'case',
    `failed to parse tape JSON: ${problem.message} at line ${line} column ${column}`,
    `${path}:${line}:${column}: ${problem.fix ?? 'Repair the tape, or re-record it.'}`,
  );
}

async function readReplayBytes(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path, FILE_LIMITS.tape);
  } catch (error) {
    const missing = hasCode(error, 'ENOENT', 'ENOTDIR');
    throw new ProviderError(
      missing ? 'replay' : 'case',
      `failed to read tape file: ${inRustsWords(error)}`,
      missing ? `Record ${path} first, or correct its path in the case.` : `Check ${path} and its path in the case.`,
    );
  }
}

/** MoFA prints what Rust says, and its output lines are to stay the same. */
function inRustsWords(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'No such file or directory (os error 2)';
  if (hasCode(error, 'EACCES')) return 'Permission denied (os error 13)';
  if (hasCode(error, 'ENOTDIR')) return 'Not a directory (os error 20)';
  if (hasCode(error, 'EISDIR')) return 'Is a directory (os error 21)';
  return error instanceof Error ? error.message : String(error);
}
