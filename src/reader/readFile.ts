import { readFileSync, statSync } from 'node:fs';
import { FILE_LIMITS, GZIPPED_TAPE, tooLargeReason } from '../core/bytes/fileLimits';
import { fileStamp } from '../core/project/fileStamp';
import type { TapeFile } from '../core/tapes/tapeFile';
import { loadCore } from './loadCore';

/**
 * Reads a tape; rejects when it is too large. It is read as text where possible: Node then frees the bytes before it
 * returns, whereas a buffer would stay in memory until the next garbage collection.
 */
export async function readTapeFile(file: string, path: string, gzipLimits = GZIPPED_TAPE): Promise<TapeFile> {
  if (statSync(file).size > FILE_LIMITS.tape) throw new Error(`${path}: ${tooLargeReason(FILE_LIMITS.tape)}`);
  const { decodeTapeFile, tapeFileFromText } = await loadCore();
  const text = readFileSync(file, 'utf8');
  return text.includes(REPLACEMENT_CHARACTER)
    ? decodeTapeFile(path, readFileSync(file), gzipLimits)
    : tapeFileFromText(text, path);
}

/** The size and stamp of a file; undefined if there is none. */
export function stampOf(file: string): { readonly size: number; readonly stamp: string } | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  return { size: stats.size, stamp: fileStamp(stats.size, stats.mtimeMs) };
}

/** Node decodes bytes that are not UTF-8 to this character. A file whose text has it is read again, as bytes. */
const REPLACEMENT_CHARACTER = '\uFFFD';
