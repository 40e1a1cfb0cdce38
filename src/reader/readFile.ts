import { closeSync, fstatSync, openSync, readFile, readFileSync, readSync, type Stats, stat, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { FILE_LIMITS, GZIPPED_TAPE, LISTED_BYTES, tooLargeReason } from '../core/bytes/fileLimits';
import { fileStamp } from '../core/project/fileStamp';
import type { TapeFile } from '../core/tapes/tapeFile';
import { t } from '../core/text/l10n';
import { loadCore } from './loadCore';

/** Reads a tape; rejects when it is too large. */
export async function readTapeFile(file: string, path: string, gzipLimits = GZIPPED_TAPE): Promise<TapeFile> {
  refuseUnreadable(file, path);
  const { tapeFileOf } = await loadCore();
  return tapeFileOf(path, { text: () => readFileSync(file, 'utf8'), bytes: () => readFileSync(file) }, gzipLimits);
}

/** Throws an error that names the file when it is larger than any tape that is read, or a pipe or device, which might never end. */
export function refuseUnreadable(file: string, path: string): void {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory())
    throw new Error(`${path}: ${t('this is a pipe or a device, not a file')}`);
  if (stats.size > FILE_LIMITS.tape) throw new Error(`${path}: ${tooLargeReason(FILE_LIMITS.tape)}`);
}

/** The text of a file, to be listed; undefined if there is none, or one that is too large for that. */
export async function readListedText(file: string): Promise<string | undefined> {
  try {
    const found = await promisify(stat)(file);
    return !found.isFile() || found.size > LISTED_BYTES
      ? undefined
      : new TextDecoder().decode(await promisify(readFile)(file));
  } catch {
    return undefined;
  }
}

/** The size and stamp of a file; undefined if there is none. */
export function stampOf(file: string): { readonly size: number; readonly stamp: string } | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  // As VS Code reports it: rounded to whole milliseconds.
  return { size: stats.size, stamp: fileStamp(stats.size, stats.mtime.getTime()) };
}

/** What tells whether a file has changed, also within a millisecond. */
export function contentStamp(file: string): string {
  return stampOfContent(statSync(file));
}

/**
 * Reads `into.length` bytes of a file from an offset on, fewer at its end; undefined when it has changed since `stamp`, else their
 * number. The file is not kept open: on Windows, one that is open cannot be replaced, as by a recording.
 */
export function readPart(file: string, stamp: string, from: number, into: Uint8Array): number | undefined {
  const opened = openSync(file, 'r');
  try {
    return stampOfContent(fstatSync(opened)) === stamp ? readSync(opened, into, 0, into.length, from) : undefined;
  } finally {
    closeSync(opened);
  }
}

function stampOfContent({ size, mtimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ino}`;
}
