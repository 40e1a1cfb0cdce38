import { mofaFormat } from './formats/mofa';
import type { Tape } from './tape';
import type { TapeFormat } from './tapeFormat';

const formats: readonly TapeFormat[] = [mofaFormat];

/** The format of a text by its content, or undefined when no format claims it. */
export function detectFormat(text: string): TapeFormat | undefined {
  return formats.find((format) => format.looksLike(text));
}

/** Reads a tape of any format. `undefined` when the text is of none; then it is not a tape. */
export function readTape(text: string): Tape | undefined {
  return detectFormat(text)?.read(text);
}
