import { LISTED_BYTES, LISTED_GZIP, tooLargeReason } from '../bytes/fileLimits';
import type { TapeFormat } from '../tapes/format';
import { detectFormat } from '../tapes/readTape';
import { decodeTapeFile, unreadableFile } from '../tapes/tapeFile';
import { UNREADABLE } from '../tapes/unreadable';
import type { Problem } from '../text/source';
import { isTapePath } from './filePatterns';

/** A tape as lists show it. */
export interface ListedTape {
  readonly format: TapeFormat;
  readonly interactions: number;
  readonly problems: readonly Problem[];
  /** What the spans of the problems are in. */
  readonly text: string;
}

/**
 * Reads a file for a list of tapes, with less effort than to open it; undefined where it is not a tape. A tape that is too
 * large for that is listed with the reason, if its name says that it is one.
 */
export async function listTape(
  path: string,
  size: number,
  read: () => PromiseLike<Uint8Array>,
): Promise<ListedTape | undefined> {
  const file =
    size > LISTED_BYTES
      ? unreadableFile(path, tooLargeReason(LISTED_BYTES))
      : decodeTapeFile(path, await read(), LISTED_GZIP);
  const format = detectFormat(file);
  if (format === undefined || (format === UNREADABLE && !isTapePath(path))) return undefined;
  const { interactions, problems } = format.read(file);
  const told = format === UNREADABLE ? problems.map((problem) => ({ ...problem, ...NOT_LISTED })) : problems;
  return { format, interactions: interactions.length, problems: told, text: file.text };
}

const NOT_LISTED = { severity: 'warning', fix: 'Open it to read it, or split it into smaller tapes.' } as const;
