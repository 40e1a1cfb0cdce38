import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { FormatId } from '../../core/model/tape';
import type { MatchedFormat } from '../../core/tapes/format';
import type { PiecewiseTape } from '../../core/tapes/pieces';
import { piecewiseFormat } from '../../core/tapes/piecewise';
import { tapeFileOf } from '../../core/tapes/tapeFile';
import { readContent } from '../files/readFile';

/** A part of a file, in bytes. */
export interface BytePlace {
  readonly start: number;
  readonly end: number;
}

/** What is known of a tape that was read before. */
export interface KnownTape {
  readonly format: FormatId;
  readonly count: number;
  /** The place of an interaction, where they can be read one by one. */
  place(index: number): BytePlace | undefined;
}

export interface UnchangedTape {
  readonly format: MatchedFormat;
  readonly tape: PiecewiseTape;
}

/**
 * Reads a tape that was read as a whole before, and has not changed since. Problems are not looked for again, so an interaction is
 * read only when it is needed.
 */
export async function loadUnchangedTape(path: string, known: KnownTape): Promise<UnchangedTape> {
  const places = Array.from({ length: known.count }, (_, index) => known.place(index) ?? NOWHERE);
  const piecewise = places.includes(NOWHERE) ? undefined : await piecewiseFormat(known.format);
  const content = await readContent(path, FILE_LIMITS.tape);
  if (piecewise === undefined) {
    const { formatById } = await import('../../core/tapes/registry');
    const format = formatById(known.format);
    return { format, tape: format.read(tapeFileOf(path, content)) };
  }
  const { buffer, byteOffset, length } = content.bytes();
  const bytes = Buffer.from(buffer, byteOffset, length);
  const placeOf = (index: number): BytePlace => places[index] ?? NOWHERE;
  const tape = piecewise.pieces.read({
    count: places.length,
    length,
    textOf: (index) => bytes.toString('utf8', placeOf(index).start, placeOf(index).end),
    sourceOf: placeOf,
    whole: () => bytes.toString(),
  });
  return { format: piecewise.format, tape };
}

const NOWHERE: BytePlace = { start: 0, end: 0 };
