import type { Span } from '../text/source';
import type { PackedString } from './packedString';

/** Bytes of a text as programs print them, and how another text is written in their place, if it can be. */
interface ByteDump extends Span {
  readonly content: PackedString;
}

/** The bytes that a text prints as numbers or as a dump, where they are ASCII. */
export function* byteDumps(text: string): Generator<ByteDump> {
  yield* listsOfBytes(text);
  yield* hexDumps(text);
}

/** As Node prints a buffer in JSON, and as programs have arrays of bytes. */
const LIST =
  /(?<=[[{(]\s{0,8})(?:0x[\da-f]{2}|\d{1,3})(?:,(?:\s|\\{1,4}n){0,16}(?:0x[\da-f]{2}|\d{1,3})){31,20000}(?=,?\s{0,8}[\]})])/gi;

function* listsOfBytes(text: string): Generator<ByteDump> {
  for (const { 0: list, index } of text.matchAll(LIST)) {
    const isHex = /^0x/i.test(list);
    const write = (byte: number): string => (isHex ? `0x${byte.toString(16).padStart(2, '0')}` : String(byte));
    const said = asciiOf(list.split(/,(?:\s|\\{1,4}n)*/).map(Number));
    if (said === undefined) continue;
    const repack = (next: string): string => Array.from(new TextEncoder().encode(next), write).join(', ');
    yield { start: index, end: index + list.length, content: { text: said, repack } };
  }
}

/** Where a second line of 16 bytes begins, so that other texts are not searched. */
const SECOND_LINE = '0000010';
/** A line of xxd, or of hexdump, which prints words by their lower byte first unless it prints text beside them. */
const LINE = /(?<![\da-f])([\da-f]{7,8})(: | {1,2})((?:[\da-f]{4} |[\da-f]{2} {1,2}){1,16})[^\r\n\\]{0,24}/gi;

function* hexDumps(text: string): Generator<ByteDump> {
  if (!text.includes(SECOND_LINE)) return;
  let bytes: number[] = [];
  let [start, end] = [0, 0];
  const dump = function* (): Generator<ByteDump> {
    const said = bytes.length > 16 ? asciiOf(bytes) : undefined;
    // What is left of it could not be read as a dump.
    if (said !== undefined) yield { start, end, content: { text: said, repack: () => undefined } };
  };
  for (const { 0: line, 1: offset = '', 2: between = '', 3: digits = '', index } of text.matchAll(LINE)) {
    if (Number.parseInt(offset, 16) !== bytes.length || bytes.length === 0) {
      yield* dump();
      bytes = [];
      start = index;
    }
    bytes.push(...bytesOf(digits, !between.includes(':')));
    end = index + line.length;
  }
  yield* dump();
}

function bytesOf(digits: string, isSwapped: boolean): number[] {
  return digits
    .trim()
    .split(/ +/)
    .flatMap((word) => {
      const pair = word.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
      return isSwapped ? pair.reverse() : pair;
    })
    .slice(0, 16);
}

/** The text of bytes; undefined if one of them is no character of ASCII, but for a last one that fills a word. */
function asciiOf(bytes: readonly number[]): string | undefined {
  const all = bytes.at(-1) === 0 ? bytes.slice(0, -1) : bytes;
  const isAscii = all.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  return isAscii ? new TextDecoder().decode(Uint8Array.from(all)) : undefined;
}
