import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { FormatId } from '../../core/model/tape';
import type { PiecewiseTape, TapeFormat } from '../../core/tapes/format';
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
  readonly format: TapeFormat;
  readonly tape: PiecewiseTape;
}

/**
 * Reads a tape that was read as a whole before, and has not changed since. Problems are not looked for again, so an interaction is
 * read only when it is needed.
 */
export async function loadUnchangedTape(path: string, known: KnownTape): Promise<UnchangedTape> {
  const places = Array.from({ length: known.count }, (_, index) => known.place(index) ?? NOWHERE);
  const format = places.includes(NOWHERE) ? undefined : await piecewiseFormat(known.format);
  const content = await readContent(path, FILE_LIMITS.tape);
  if (format === undefined) {
    const { formatById } = await import('../../core/tapes/registry');
    const whole = formatById(known.format);
    return { format: whole, tape: whole.read(tapeFileOf(path, content)) };
  }
  const { buffer, byteOffset, length } = content.bytes();
  const bytes = Buffer.from(buffer, byteOffset, length);
  const placeOf = (index: number): BytePlace => places[index] ?? NOWHERE;
  const tape = format.inPieces.read({
    count: places.length,
    length,
    textOf: (index) => bytes.toString('utf8', placeOf(index).start, placeOf(index).end),
    sourceOf: placeOf,
    whole: () => bytes.toString(),
  });
  return { format, tape };
}

const NOWHERE: BytePlace = { start: 0, end: 0 };
