/** UTF-16 units that are looked at together: their bytes are to stay in the processor's cache. */
export const UNITS = 64 * 1024;
/** Behind the bytes, for those who read four at a time and stop at what is no character. */
const ZEROS = 8;
const encoder = new TextEncoder();

/**
 * The UTF-8 bytes of a piece of a text, with zeros behind them: one at a time, for all of the process.
 *
 * Bytes are what V8 reads fast. `charCodeAt` has to find out of which of a dozen kinds a string is, for every character;
 * a place in the code that has seen more than four of them looks the function up in a table as well, and one that was
 * asked behind the end of a text just once calls it for good.
 */
export const bytes = new Uint8Array(UNITS * 3 + ZEROS);
/** The same, for reading four at a time. */
export const words = new DataView(bytes.buffer);

/**
 * Fills `bytes` with the piece that begins at `start`, and returns where it ends. Half of a character beyond U+FFFF, as at
 * the end of a piece, has three bytes, those of U+FFFD.
 */
export function fillBytes(text: string, start: number): number {
  const piece = text.length - start > UNITS || start > 0 ? text.slice(start, start + UNITS) : text;
  const { written } = encoder.encodeInto(piece, bytes);
  bytes.fill(0, written, written + ZEROS);
  return written;
}
