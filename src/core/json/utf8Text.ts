const encoder = new TextEncoder();
/** So much is kept for the next text. */
const KEPT = 1024 * 1024;
/** Zeros behind the text, for those who read a few bytes at a time and stop at what is no character. */
export const ZEROS = 8;
let kept = new Uint8Array(64 * 1024);

/**
 * The UTF-8 bytes of a text with `ZEROS` behind them: to be used at once, the next text may get the same memory. A lone
 * surrogate has the bytes of U+FFFD.
 *
 * Bytes are what V8 reads fast. `charCodeAt` has to find out of which of a dozen kinds a string is, for every character;
 * a place in the code that has seen more than four of them looks the function up in a table as well, and one that was
 * asked behind the end of a text just once calls it for good.
 */
export function utf8Text(text: string): Uint8Array<ArrayBuffer> {
  if (kept.length < text.length + ZEROS) allocate(text.length + (text.length >> 3) + 64);
  const { read, written } = encoder.encodeInto(text, kept.subarray(0, -ZEROS));
  if (read < text.length) {
    allocate(written + (text.length - read) * 3 + ZEROS);
    return utf8Text(text);
  }
  const bytes = kept.fill(0, written, written + ZEROS);
  if (kept.length > KEPT) kept = new Uint8Array(64 * 1024);
  return bytes;
}

function allocate(length: number): void {
  kept = new Uint8Array(length);
}
