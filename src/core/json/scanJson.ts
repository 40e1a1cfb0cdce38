import type { TextParts } from '../text/textParts';
import { ESCAPED, JsonTokens, maxBranches, maxTokens, PLAIN } from './jsonTokens';

/** The number of UTF-16 units scanned together, chosen so that their bytes stay in the processor's cache. */
export const WINDOW_UNITS = 64 * 1024;
/** Zeros after the bytes, at which loops that read four bytes at a time stop. */
const PADDING_BYTES = 8;
const encoder = new TextEncoder();

/**
 * The UTF-8 bytes of a piece of a text, followed by zeros. Shared by the whole process.
 *
 * V8 reads bytes faster than characters. `charCodeAt` determines for every character which of a dozen kinds of string
 * it has; a call site that has seen more than four kinds also looks the function up in a table, and one that has once
 * read past the end of a text is never inlined again.
 */
const utf8Window = new Uint8Array(WINDOW_UNITS * 3 + PADDING_BYTES);
/** The same, for reading four at a time. */
const utf8WindowView = new DataView(utf8Window.buffer);

/**
 * Fills `utf8Window` with the piece that begins at `start`, and returns the end of the bytes. Half of a surrogate pair,
 * as at the end of a piece, has the three bytes of U+FFFD.
 */
function fillUtf8Window(text: TextParts, start: number): number {
  const isWhole = typeof text === 'string' && start === 0 && text.length <= WINDOW_UNITS;
  const piece = isWhole ? text : text.slice(start, start + WINDOW_UNITS);
  const { written } = encoder.encodeInto(piece, utf8Window);
  utf8Window.fill(0, written, written + PADDING_BYTES);
  return written;
}

const MAX_DEPTH = 500;
/** The characters that may follow a backslash. */
const ESCAPES = new Uint8Array(256);
for (const char of '"\\/bfnrt') ESCAPES[char.charCodeAt(0)] = 1;
/** Longer numbers are left to the tolerant reader. */
const MAX_NUMBER_LENGTH = 64;
const LOWER_U = 0x75;
const HEX = /^[\da-fA-F]{4}$/;

/** Shared by the tokens of many small texts, so that none of them allocates an array. */
const SHARED = 3 * 8 * 1024;
let shared = new Int32Array(SHARED);
let used = 0;
/** Collects the tokens of larger texts, which are then copied to an array of their size: a new array is cold memory. */
let scratch = new Int32Array(SHARED);
const LARGEST_SCRATCH = 3 * 128 * 1024;
const stack = new Int32Array(MAX_DEPTH);

/** The states of the scanner, each named after the token that must come next. */
const VALUE = 0;
const NAME = 1;
const COLON = 2;
/** A comma, or the end of a list or object. */
const COMMA = 3;
/** The first item of a list or object, or its end. */
const FIRST = 4;

/**
 * Scans the JSON value at the start of a text into tokens; undefined if it is invalid, in which case
 * `TolerantJsonReader` finds the error. Text after the value is ignored.
 *
 * This is a single long function because every call in it, and every field in place of a variable, measurably slows it
 * down, and reading a tape must not take twice as long as the native `JSON.parse`. It scans the text piece by piece as
 * bytes, four at a time where possible. `shift` is the offset in the bytes minus the offset in the text.
 */
export function scanJson(text: TextParts): JsonTokens | undefined {
  const expected = (text.length >> 5) * 3;
  const isSmall = expected < SHARED >> 3;
  if (isSmall && used + expected > SHARED) share();
  let data = isSmall ? shared : expected > LARGEST_SCRATCH ? new Int32Array(expected) : scratch;
  const root = isSmall ? used : 0;
  const limit = root + 3 * maxTokens(text);
  let branches = maxBranches(text);
  let size = root;
  let depth = 0;
  let closing = 0;
  let hasPlainNumbers = true;
  let isCompact = true;
  let next = VALUE;
  let from = 0;
  let end = fillUtf8Window(text, from);
  let at = startsWithMark() ? 3 : 0;
  let shift = at === 0 ? 0 : 2;
  for (;;) {
    const space = at;
    at = afterSpaces(at);
    if (at > space) isCompact = false;
    const char = utf8Window[at] as number;
    if (at >= end) {
      from = at - shift;
      if (from >= text.length) return undefined;
      end = fillUtf8Window(text, from);
      at = 0;
      shift = -from;
    } else if (next === COMMA || (next >= FIRST && char === closing)) {
      at += 1;
      if (char === 0x2c) {
        next = closing === 0x7d ? NAME : VALUE;
        continue;
      }
      if (char !== closing) return undefined;
      depth -= 1;
      const opened = stack[depth] as number;
      const token = opened < 0 ? -1 - opened : opened;
      data[token + 1] = at - shift;
      data[token + 2] = size;
      closing = opened < 0 ? 0x7d : 0x5d;
      next = COMMA;
      if (depth === 0) break;
    } else if (next === COLON) {
      if (char !== 0x3a) return undefined;
      at += 1;
      next = VALUE;
    } else if (char === 0x22) {
      if (size + 3 > data.length) {
        if (size > limit) return undefined;
        data = grown(data, limit);
      }
      data[size] = at - shift;
      let note = PLAIN;
      at += 1;
      for (;;) {
        at = afterPlain(at);
        const special = utf8Window[at] as number;
        if (special === 0x22) break;
        // The piece may end inside an escape.
        if (at + 6 > end && (at === end || special === 0x5c) && from + WINDOW_UNITS < text.length) {
          from = at - shift;
          end = fillUtf8Window(text, from);
          at = 0;
          shift = -from;
        } else if (special === 0x5c) {
          note = ESCAPED;
          if (ESCAPES[utf8Window[at + 1] as number] === 1) at += 2;
          else if (isUnicodeEscape(text, at - shift)) at += 6;
          else return undefined;
        } else if (special < 0x20) return undefined;
        else {
          // A character of two or three bytes, or of four, which is two units in the text.
          const length = special >= 0xf0 ? 4 : special >= 0xe0 ? 3 : 2;
          at += length;
          shift += length === 2 ? 1 : 2;
        }
      }
      at += 1;
      data[size + 1] = at - shift;
      data[size + 2] = note;
      size += 3;
      next = next === NAME || next === FIRST + NAME ? COLON : COMMA;
      if (depth === 0) break;
    } else if (next === NAME || next === FIRST + NAME) return undefined;
    else if (char === 0x7b || char === 0x5b) {
      if (depth === MAX_DEPTH || branches === 0) return undefined;
      branches -= 1;
      if (size + 3 > data.length) {
        if (size > limit) return undefined;
        data = grown(data, limit);
      }
      stack[depth] = closing === 0x7d ? -1 - size : size;
      depth += 1;
      data[size] = at - shift;
      size += 3;
      at += 1;
      closing = char === 0x7b ? 0x7d : 0x5d;
      next = char === 0x7b ? FIRST + NAME : FIRST + VALUE;
    } else if (at + MAX_NUMBER_LENGTH > end && at > 0 && from + WINDOW_UNITS < text.length) {
      from = at - shift;
      end = fillUtf8Window(text, from);
      at = 0;
      shift = -from;
    } else {
      const after = afterAtom(at);
      if (after === at || continuesToken(utf8Window[after] as number)) return undefined;
      if (after === end && from + WINDOW_UNITS < text.length) return undefined;
      if (size + 3 > data.length) {
        if (size > limit) return undefined;
        data = grown(data, limit);
      }
      data[size] = at - shift;
      data[size + 1] = after - shift;
      data[size + 2] = PLAIN;
      hasPlainNumbers &&= isPlainAtom(at, after);
      at = after;
      size += 3;
      next = COMMA;
      if (depth === 0) break;
    }
  }
  if (data === shared) used = size;
  else if (data.length <= LARGEST_SCRATCH) {
    scratch = data;
    data = data.slice(0, size);
  }
  return new JsonTokens(text, data, root, size, hasPlainNumbers, isCompact);
}

function startsWithMark(): boolean {
  return utf8Window[0] === 0xef && utf8Window[1] === 0xbb && utf8Window[2] === 0xbf;
}

function afterSpaces(start: number): number {
  let at = start;
  for (;;) {
    const char = utf8Window[at] as number;
    if (char > 0x20) return at;
    if (char !== 0x0a && char !== 0x20 && char !== 0x0d && char !== 0x09) return at;
    at += 1;
    if (char === 0x0a) while (utf8WindowView.getInt32(at) === 0x20202020) at += 4;
  }
}

/** The offset after a run of plain ASCII characters in a string. */
function afterPlain(start: number): number {
  let at = start;
  // The highest bit of each byte is set for control characters, non-ASCII, quotes and backslashes.
  for (;;) {
    const word = utf8WindowView.getInt32(at);
    const quote = word ^ 0x22222222;
    const slash = word ^ 0x5c5c5c5c;
    const special = (word - 0x20202020) | word | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash);
    if ((special & 0x80808080) !== 0) break;
    at += 4;
  }
  for (;;) {
    const char = utf8Window[at] as number;
    if (char === 0x22 || char === 0x5c || char < 0x20 || char >= 0x80) return at;
    at += 1;
  }
}

const TRUE = 0x74727565;
const NULL = 0x6e756c6c;
const FALS = 0x66616c73;

/** The offset after a number, `true`, `false` or `null`; `start` if there is none. */
function afterAtom(start: number): number {
  const word = utf8WindowView.getInt32(start);
  if (word === TRUE || word === NULL) return start + 4;
  if (word === FALS && utf8Window[start + 4] === 0x65) return start + 5;
  const first = utf8Window[start] === 0x2d ? start + 1 : start;
  let at = utf8Window[first] === 0x30 ? first + 1 : afterDigits(first);
  if (at === first) return start;
  if (utf8Window[at] === 0x2e) {
    const end = afterDigits(at + 1);
    if (end === at + 1) return start;
    at = end;
  }
  if (utf8Window[at] === 0x65 || utf8Window[at] === 0x45) {
    const sign = utf8Window[at + 1];
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    at = afterDigits(digits);
    if (at === digits) return start;
  }
  return at;
}

/** More digits may be more than a double holds. */
const MAX_PLAIN_DIGITS = 15;

/** Whether an atom is a literal, or a number that JavaScript reads exactly and writes in the same way: a short integer. */
function isPlainAtom(start: number, end: number): boolean {
  const first = utf8Window[start] === 0x2d ? start + 1 : start;
  const char = utf8Window[first] as number;
  if (char > 0x39) return true;
  if (end - first > MAX_PLAIN_DIGITS || (char === 0x30 && first > start)) return false;
  return afterDigits(first) === end;
}

function afterDigits(start: number): number {
  let at = start;
  while ((utf8Window[at] as number) >= 0x30 && (utf8Window[at] as number) <= 0x39) at += 1;
  return at;
}

/** Whether a byte continues a word or number, so that the one before it is invalid. */
function continuesToken(char: number): boolean {
  if (char === 0x2b || char === 0x2d || char === 0x2e || char === 0x5f) return true;
  const letter = char | 0x20;
  return (char >= 0x30 && char <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function isUnicodeEscape(text: TextParts, at: number): boolean {
  return text.charCodeAt(at + 1) === LOWER_U && HEX.test(text.slice(at + 2, at + 6));
}

function grown(data: Int32Array<ArrayBuffer>, limit: number): Int32Array<ArrayBuffer> {
  if (data === shared) share();
  const larger = new Int32Array(Math.min(data.length * 2, limit + 3));
  larger.set(data);
  return larger;
}

function share(): void {
  shared = new Int32Array(SHARED);
  used = 0;
}
