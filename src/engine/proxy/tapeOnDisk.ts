import { readFile } from 'node:fs/promises';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile, type TapeFile } from '../../core/tapes/tapeFile';
import { LineIndex } from '../../core/text/source';
import { isSystemError, systemReason, UserError } from '../project/userError';

export interface TapeOnDisk {
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly tape: Tape;
}

/** Reads a tape for a replay. Rejects with a `UserError` when it is none, or broken: half a tape would answer wrongly. */
export async function readTapeOnDisk(path: string): Promise<TapeOnDisk> {
  const file = decodeTapeFile(path, await bytesOf(path));
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

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Record it first, or correct its path.');
  }
}
