import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { FormatId } from '../../core/model/tape';
import type { MatchedFormat } from '../../core/tapes/format';
import type { PiecewiseTape } from '../../core/tapes/pieces';
import { piecewiseFormat } from '../../core/tapes/piecewise';
import { tapeFileOf } from '../../core/tapes/tapeFile';
import { readBytesAtOnce, readContent } from '../files/readFile';

/** A part of a file, in bytes. */
export interface BytePlace {
  readonly start: number;
  readonly end: number;
}

/** What is known of a tape that was read before. */
export interface KnownTape {
  readonly format: FormatId;
  readonly count: number;
  /** Whether the interactions can be read one by one. */
  readonly hasPlaces: boolean;
  place(index: number): BytePlace;
}

interface UnchangedTape {
  readonly format: MatchedFormat;
  readonly tape: PiecewiseTape;
}

/**
 * Reads a tape that was read as a whole before, and has not changed since. Problems are not looked for again, so an interaction is
 * read only when it is needed.
 */
export async function loadUnchangedTape(path: string, known: KnownTape): Promise<UnchangedTape> {
  const piecewise = known.hasPlaces ? await piecewiseFormat(known.format) : undefined;
  if (piecewise === undefined) {
    const content = await readContent(path, FILE_LIMITS.tape);
    const { formatById } = await import('../../core/tapes/registry');
    const format = formatById(known.format);
    return { format, tape: format.read(tapeFileOf(path, content)) };
  }
  const bytes = readBytesAtOnce(path, FILE_LIMITS.tape);
  const tape = piecewise.pieces.read({
    count: known.count,
    length: bytes.length,
    textOf: (index) => {
      const { start, end } = known.place(index);
      return bytes.toString('utf8', start, end);
    },
    sourceOf: (index) => known.place(index),
    whole: () => bytes.toString(),
  });
  return { format: piecewise.format, tape };
}
