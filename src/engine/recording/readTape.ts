import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import { isNotKept } from '../../core/tapes/notKept';
import { pieceReader } from '../../core/tapes/piecewise';
import { detectFormat } from '../../core/tapes/readTape';
import { formatById } from '../../core/tapes/registry';
import { type TapeFile, tapeFileOf } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { noticesIn, says } from '../../core/text/notice';
import { shellWord } from '../../core/text/shellWord';
import { LineIndex, type Position, type Problem } from '../../core/text/source';
import { noRecording, ProviderError } from '../errors/runErrors';
import { hasCode, isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readContent } from '../files/readFile';
import type { BytePlace } from './unchangedTape';

/** The format of a new tape of a case, and the one that a file of no format is read as, whose reader names the problem. */
export const NEW_CASE_TAPE = 'mofa';

/** A tape as it is on disk. */
export interface StoredTape {
  readonly path: string;
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly tape: Tape;
}

/**
 * Reads a tape whole. Rejects with a `UserError` when it is not a tape, or broken: half a tape would replay wrongly. Interactions whose
 * responses were not kept are not served, and do no harm to the others.
 */
export async function loadTape(path: string): Promise<StoredTape> {
  const stored = await open(path, USER_ERRORS);
  requireWhole(stored);
  return stored;
}

/**
 * Reads the file of a tape, and none of its interactions, which may be broken: see `requireWhole`. Rejects with a `UserError` when it is not a
 * tape.
 */
export function openTape(path: string): Promise<StoredTape> {
  return open(path, USER_ERRORS);
}

/** Throws a `UserError` when the tape is broken, as `loadTape` does. */
export function requireWhole(stored: StoredTape): void {
  refuseBroken(stored, USER_ERRORS);
}

/** Whether a problem makes a tape one that is not replayed. */
export function isBroken(one: Problem): boolean {
  return one.severity === 'error' && !isNotKept(one);
}

/** The places of the interactions of a tape, where they can be read one by one. */
export async function interactionPlaces({ file, format, tape }: StoredTape): Promise<readonly BytePlace[] | undefined> {
  const { text, encoding, bom, gzipHeader } = file;
  const isPlain = encoding === 'utf-8' && !bom && gzipHeader === undefined;
  const { interactions } = tape;
  if (!isPlain || !(await pieceReader(format.id))?.fits(interactions)) return undefined;
  let [read, end] = [0, 0];
  return interactions.map(({ source }) => {
    const start = end + Buffer.byteLength(text.slice(read, source.start));
    end = start + Buffer.byteLength(text.slice(source.start, source.end));
    read = source.end;
    return { start, end };
  });
}

/** Reads the tape of a case. Rejects with a `ProviderError` when that cannot be done. */
export async function loadTapeForReplay(path: string): Promise<StoredTape> {
  const stored = await open(path, REPLAY_ERRORS);
  refuseBroken(stored, REPLAY_ERRORS);
  return stored;
}

/** What is wrong in a tape that cannot be read. */
interface BrokenTape {
  readonly message: () => string;
  readonly fix: (() => string) | undefined;
}

/** The errors of a reading. Each throws, except that a file of unknown format may be read as some format. */
interface TapeErrors {
  unreadable(path: string, error: unknown): Error;
  formatOfUnknown(path: string): TapeFormat;
  broken(path: string, problem: BrokenTape, place: Position): Error;
}

async function open(path: string, errors: TapeErrors): Promise<StoredTape> {
  const file = await readFile(path).catch((error: unknown) => {
    throw errors.unreadable(path, error);
  });
  const format = detectFormat(file) ?? errors.formatOfUnknown(path);
  return { path, file, format, tape: format.read(file) };
}

function refuseBroken({ path, file, format, tape }: StoredTape, errors: TapeErrors): void {
  if (!tape.problems.some(isBroken)) return;
  const { made: problem, saidIn } = noticesIn(() => format.read(file).problems.find(isBroken));
  if (problem === undefined) return;
  const { message, fix, span } = problem;
  const words = { message: () => says(saidIn(message)), fix: fix === undefined ? undefined : () => says(saidIn(fix)) };
  throw errors.broken(path, words, new LineIndex(file.text).position(span.start));
}

async function readFile(path: string): Promise<TapeFile> {
  return tapeFileOf(path, await readContent(path, FILE_LIMITS.tape));
}

const USER_ERRORS: TapeErrors = {
  unreadable: (path, error) =>
    isSystemError(error)
      ? new UserError(
          () => `${path}: ${systemReason(error)}`,
          () => t('Record it first, or correct its path.'),
        )
      : asError(error),
  formatOfUnknown(path) {
    throw new UserError(
      () => t('{0} is not a tape in a known format', path),
      () => t('For details: tapedeck verify {0}', shellWord(path)),
    );
  },
  broken: (path, { message, fix }, { line, column }) =>
    new UserError(
      () => `${path}:${line}:${column}: ${message()}`,
      () => fix?.() ?? t('Repair the tape, or record it again.'),
    ),
};

const REPLAY_ERRORS: TapeErrors = {
  unreadable(path, error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return noRecording(path);
    return isSystemError(error)
      ? new ProviderError(
          'case',
          () => `${path}: ${systemReason(error)}`,
          () => t('Check the file, and its path in the case.'),
        )
      : asError(error);
  },
  formatOfUnknown: () => formatById(NEW_CASE_TAPE),
  broken: (path, { message, fix }, { line, column }) =>
    new ProviderError(
      'case',
      () => t('failed to parse tape JSON: {0} at line {1} column {2}', message(), line, column),
      () => `${path}:${line}:${column}: ${fix?.() ?? t('Repair the tape, or re-record it.')}`,
    ),
};

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
