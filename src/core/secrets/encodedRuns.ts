import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { decodeHex, encodeHex } from '../bytes/hex';
import type { Span } from '../text/source';
import type { BodyBudget } from '../wire/body/bodyBudget';
import { type PackedString, unpackString } from './packedString';
import { type SearchedText, SHORTEST_WORD } from './searchedText';

/** Base64 or hexadecimal digits in a text: what they contain, and how something else is written in its place. */
interface EncodedRun extends Span {
  readonly content: PackedString | { readonly bytes: Uint8Array; repack(bytes: Uint8Array): string };
}

/** The next line of base64 that is wrapped, as MIME does it, in a text or in a string within it. */
const NEXT_LINE =
  /(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{0,40}([A-Za-z0-9+/_-]+={0,2})(?=[ \t]{0,40}(?:\r?\n|$)|["'\\])/y;
const SHORTEST_WRAPPED = 56;
/** Shorter binary data holds no secret that is not found otherwise. */
const SHORTEST_BINARY = 32;
const LONGEST_PATH = 4096;

/**
 * The base64 in a text that decodes to text, to compressed text, or to a fair amount of other data, and the same in hexadecimal.
 * Each is decoded when its turn comes; the compressed ones within the budget.
 */
export function* encodedRuns(searched: SearchedText, budget: BodyBudget): Generator<EncodedRun> {
  const { text } = searched;
  let after = 0;
  for (const { start, end } of searched.words()) {
    if (start < after) continue;
    const first = text.slice(start, end);
    const wrapped = first.length >= SHORTEST_WRAPPED ? followingLines(text, start, end) : undefined;
    const run = decodeLines(first, wrapped?.packed, { start, end: wrapped?.end ?? end }, budget);
    if (run !== undefined) {
      yield run;
      after = run.end;
    } else if (first.length <= LONGEST_PATH && first.includes('/')) yield* segments(first, start, budget);
  }
}

/** Decodes a word with the lines after it, or alone: a word on the next line may belong to something else. */
function decodeLines(
  word: string,
  withLines: string | undefined,
  { start, end }: Span,
  budget: BodyBudget,
): EncodedRun | undefined {
  const folded = withLines === undefined ? undefined : decodeRun(withLines, { start, end }, budget);
  if (folded !== undefined && 'text' in folded.content) return folded;
  const alone = decodeRun(word, { start, end: start + word.length }, budget);
  return alone !== undefined && 'text' in alone.content ? alone : (folded ?? alone);
}

function followingLines(text: string, start: number, end: number): { packed: string; end: number } | undefined {
  const lines = [text.slice(start, end)];
  const { length } = lines[0] ?? '';
  let at = end;
  for (NEXT_LINE.lastIndex = at; ; NEXT_LINE.lastIndex = at) {
    const match = NEXT_LINE.exec(text);
    if (match === null || (match[1]?.length ?? 0) > length) break;
    lines.push(match[1] ?? '');
    at = NEXT_LINE.lastIndex;
    if ((match[1]?.length ?? 0) < length) break;
  }
  return at === end ? undefined : { packed: lines.join(''), end: at };
}

/** Base64 in a segment of a path. */
function* segments(path: string, offset: number, budget: BodyBudget): Generator<EncodedRun> {
  let start = offset;
  for (const segment of path.split('/')) {
    const run = segment.length >= 16 ? decodeRun(segment, { start, end: start + segment.length }, budget) : undefined;
    if (run !== undefined) yield run;
    start += segment.length + 1;
  }
}

function decodeRun(packed: string, { start, end }: Span, budget: BodyBudget): EncodedRun | undefined {
  const digits = packed.replace(/^0?x/, '');
  if (isHexadecimal(digits))
    return { start: start + packed.length - digits.length, end, content: inHexadecimal(digits) };
  const begins = decodeBase64(packed.slice(0, SHORTEST_WORD));
  if (begins === undefined) return undefined;
  if (beginsText(begins) || isCompressed(packed)) {
    const content = unpackString(packed, budget);
    if (content !== undefined) return { start, end, content };
  }
  if (packed.length < SHORTEST_BINARY) return undefined;
  const bytes = decodeBase64(packed);
  return bytes && { start, end, content: { bytes, repack: encodeBase64 } };
}

/** Whether these are the digits of so many bytes that they are no id. `0x` is before them in code, and `\\x` in a database. */
function isHexadecimal(digits: string): boolean {
  return digits.length >= 2 * SHORTEST_WORD && digits.length % 2 === 0 && !/[^\da-f]/i.test(digits);
}

function inHexadecimal(digits: string): EncodedRun['content'] {
  const bytes = decodeHex(digits);
  const repack = (next: Uint8Array) => (/[A-F]/.test(digits) ? encodeHex(next).toUpperCase() : encodeHex(next));
  if (!bytes.every(isAscii)) return { bytes, repack };
  return { text: new TextDecoder().decode(bytes), repack: (text: string) => repack(new TextEncoder().encode(text)) };
}

function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Whether bytes may be the beginning of a text in UTF-8, as few words of base64 characters are by chance. */
function beginsText(bytes: Uint8Array): boolean {
  let following = 0;
  for (const byte of bytes) {
    if (following > 0) {
      if (byte >> 6 !== 0b10) return false;
      following -= 1;
    } else if (byte >= 0x80) {
      following = byte >= 0xf5 ? -1 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : -1;
      if (following === -1) return false;
    } else if (!isAscii(byte)) return false;
  }
  return true;
}

/** Base64 of the first bytes of gzip, zstd and zlib. */
function isCompressed(packed: string): boolean {
  return /^(?:H4sI|KLUv\/|e[AFJN])/.test(packed);
}
