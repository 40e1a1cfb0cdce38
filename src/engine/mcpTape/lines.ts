import { StringDecoder } from 'node:string_decoder';

/** Longer messages are no messages. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Cuts a stream of bytes into lines, without their ends. Empty lines are left out. */
export function lineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  const flush = (): void => {
    const line = parts.join('').replace(/\r$/, '');
    parts = [];
    length = 0;
    if (line !== '') onLine(line);
  };
  return (chunk) => {
    const [first = '', ...rest] = decoder.write(chunk).split('\n');
    for (const [at, piece] of [first, ...rest].entries()) {
      if (at > 0) flush();
      length += piece.length;
      if (length <= LONGEST_LINE) parts.push(piece);
    }
  };
}
