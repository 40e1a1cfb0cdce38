/** Stands for a character that is not ASCII. */
export const NOT_ASCII = 0x80;

/** Characters that are encoded at once. A part of a text that is not ASCII costs its own part only. */
const PART = 16_384;
/** A shorter text is copied sooner than it is encoded. */
const SHORT = 64;

const encoder = new TextEncoder();

/** The characters of a text, one byte for each UTF-16 unit, `NOT_ASCII` for all others. Scans read them faster than a string. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  if (text.length < SHORT) {
    for (let at = 0; at < text.length; at += 1) bytes[at] = Math.min(text.charCodeAt(at), NOT_ASCII);
    return bytes;
  }
  for (let at = 0; at < text.length; at += PART) {
    const part = text.slice(at, at + PART);
    const { read, written } = encoder.encodeInto(part, bytes.subarray(at, at + part.length));
    if (read < part.length || written > read) encodeMixed(part, bytes.subarray(at, at + part.length));
  }
  return bytes;
}

/** One byte for each unit of a text that is not ASCII: UTF-8 has three bytes for a lone surrogate, and four for a pair. */
function encodeMixed(text: string, target: Uint8Array): void {
  let at = 0;
  for (const byte of encoder.encode(text)) {
    if (byte < 0x80) target[at] = byte;
    else if (byte < 0xc0) continue;
    else {
      target[at] = NOT_ASCII;
      if (byte >= 0xf0) target[++at] = NOT_ASCII;
    }
    at += 1;
  }
}
