import { startsAsJson } from '../json/startsAsJson';
import { formats } from './knownFormats';
import type { Tape } from './tape';
import type { TapeFile } from './tapeFile';
import type { TapeFormat } from './tapeFormat';

/** The format of a file by its content, or undefined when no format claims it. */
export function detectFormat(file: TapeFile): TapeFormat | undefined {
  const other = startsAsJson(file.text) ? 'text' : 'json';
  return formats.find((format) => format.syntax !== other && format.looksLike(file));
}

/** Reads a tape of any format. `undefined` when the file is of none; then it is not a tape. */
export function readTape(file: TapeFile): Tape | undefined {
  return detectFormat(file)?.read(file);
}
