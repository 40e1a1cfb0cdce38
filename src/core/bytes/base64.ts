const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 255;
const SPACE = 254;
const PADDING = 253;

/** The value of each ASCII code. The URL-safe alphabet is accepted too. */
const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;
VALUES['='.charCodeAt(0)] = PADDING;
for (const space of ' \t\r\n') VALUES[space.charCodeAt(0)] = SPACE;

/** Decodes base64, wrapped or not, padded or not. Undefined if the text is anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let length = 0;
  let pending = 0;
  let bits = 0;
  let padded = false;
  for (let at = 0; at < text.length; at += 1) {
    if (bits === 0 && !padded) {
      const groups = decodeGroups(text, at, bytes, length);
      at += groups * 4;
      length += groups * 3;
      if (at >= text.length) break;
    }
    const value = VALUES[text.charCodeAt(at)] ?? INVALID;
    if (value === SPACE) continue;
    padded ||= value === PADDING;
    if (value === PADDING) continue;
    // Text after the padding is a second base64 text; concatenated base64 is not valid.
    if (value === INVALID || padded) return undefined;
    pending = ((pending << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = pending >> bits;
  }
  return bits === 6 ? undefined : bytes.subarray(0, length);
}

/** Decodes groups of four letters from `at` on, until something else comes; nearly all of a text is these. Returns their number. */
function decodeGroups(text: string, at: number, bytes: Uint8Array, length: number): number {
  const last = text.length - 4;
  let from = at;
  let to = length;
  for (; from <= last; from += 4) {
    const a = text.charCodeAt(from);
    const b = text.charCodeAt(from + 1);
    const c = text.charCodeAt(from + 2);
    const d = text.charCodeAt(from + 3);
    if ((a | b | c | d) > 127) break;
    const first = VALUES[a] ?? INVALID;
    const second = VALUES[b] ?? INVALID;
    const third = VALUES[c] ?? INVALID;
    const fourth = VALUES[d] ?? INVALID;
    if ((first | second | third | fourth) > 63) break;
    bytes[to++] = (first << 2) | (second >> 4);
    bytes[to++] = (second << 4) | (third >> 2);
    bytes[to++] = (third << 6) | fourth;
  }
  return (from - at) / 4;
}

/** Whether `decodeBase64` would decode a text, without the bytes. */
export function isBase64(text: string): boolean {
  let letters = 0;
  let padded = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const value = code < 128 ? (VALUES[code] ?? INVALID) : INVALID;
    if (value === SPACE) continue;
    if (value === PADDING) padded = true;
    // Text after the padding is a second base64 text; concatenated base64 is not valid.
    else if (value === INVALID || padded) return false;
    else letters += 1;
  }
  return letters % 4 !== 1;
}

const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING_CODE = '='.charCodeAt(0);

/** Whether two texts are the same base64, wherever it is wrapped. */
export function isSameBase64(left: string, right: string): boolean {
  return left === right || left.replace(/[ \t\r\n]+/g, '') === right.replace(/[ \t\r\n]+/g, '');
}

/** Encodes bytes as one line of base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const { length } = bytes;
  const encoded = new Uint8Array(Math.ceil(length / 3) * 4).fill(PADDING_CODE);
  for (let from = 0, to = 0; from < length; from += 3, to += 4) {
    const group = (byteAt(bytes, from) << 16) | (byteAt(bytes, from + 1) << 8) | byteAt(bytes, from + 2);
    encoded[to] = codeOf(group >> 18);
    encoded[to + 1] = codeOf(group >> 12);
    if (from + 1 < length) encoded[to + 2] = codeOf(group >> 6);
    if (from + 2 < length) encoded[to + 3] = codeOf(group);
  }
  return new TextDecoder().decode(encoded);
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function codeOf(value: number): number {
  return CODES[value & 63] ?? 0;
}
