import { isAscii, isUtf8 } from 'node:buffer';
import { win32 } from 'node:path';
import { t } from '../core/text/l10n';
import type { TextParts } from '../core/text/textParts';
import { readPart } from './readFile';

/** The bytes that are read together. */
const WINDOW_BYTES = 64 * 1024;
const MARK = Buffer.from('\uFEFF');

interface Window {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  /** Absent where each byte is a character. */
  readonly text?: string;
}

/** Where the windows of a file are: the start of each, and the end of the last one, in the text and in the file. */
interface Windows {
  readonly units: readonly number[];
  readonly offsets: readonly number[];
}

/**
 * The text of a UTF-8 file, of which only the window that was read last is in memory. What it returns has characters of its own:
 * V8 keeps a slice as a reference to the string that it is from, and a few of each window would keep them all.
 */
export class DiskText implements TextParts {
  readonly length: number;
  readonly #units: readonly number[];
  readonly #offsets: readonly number[];
  #window: Window | undefined;

  /** Of a file that is read in windows. */
  private constructor(
    private readonly bytes: FileBytes,
    { units, offsets }: Windows,
    /** Whether the file begins with a byte order mark, which is no part of the text. */
    readonly bom: boolean,
  ) {
    this.length = units.at(-1) ?? 0;
    this.#units = units;
    this.#offsets = offsets;
  }

  /**
   * Goes through a file once; undefined when it is not UTF-8. Throws when it has changed since `stamp`.
   * @param file The path of the file
   * @param stamp Of its content, as `contentStamp` has it
   */
  static open(file: string, stamp: string): DiskText | undefined {
    const bytes = new FileBytes(file, stamp);
    const bom = bytes.read(0, MARK.length).equals(MARK);
    const units = [0];
    const offsets = [bom ? MARK.length : 0];
    for (let at = offsets[0] as number, length = 0; ; ) {
      const window = wholeCharacters(bytes.read(at, WINDOW_BYTES));
      if (window.length === 0) return new DiskText(bytes, { units, offsets }, bom);
      if (!isUtf8(window)) return undefined;
      at += window.length;
      length += isAscii(window) ? window.length : window.toString('utf8').length;
      units.push(length);
      offsets.push(at);
    }
  }

  slice(start = 0, end = this.length): string {
    const first = start < 0 ? Math.max(0, this.length + start) : start;
    const last = Math.min(end < 0 ? this.length + end : end, this.length);
    let slice = '';
    for (let at = first; at < last; ) {
      const window = this.#windowAt(at);
      const to = Math.min(last, window.end);
      slice += sliceOf(window, at, to);
      at = to;
    }
    return slice;
  }

  charCodeAt(at: number): number {
    if (at < 0 || at >= this.length) return Number.NaN;
    const { start, bytes, text } = this.#windowAt(at);
    return text === undefined ? (bytes[at - start] as number) : text.charCodeAt(at - start);
  }

  startsWith(part: string, at = 0): boolean {
    return this.slice(at, at + part.length) === part;
  }

  indexOf(part: string, from = 0): number {
    for (let at = from; at < this.length; ) {
      const { start, end, bytes, text } = this.#windowAt(at);
      const found = text === undefined ? bytes.indexOf(part, at - start, 'utf8') : text.indexOf(part, at - start);
      if (found !== -1) return start + found;
      // It may begin in this window and end after it.
      const seam = Math.max(at, end - part.length + 1);
      const across = seam < end && end < this.length ? this.slice(seam, end + part.length - 1).indexOf(part) : -1;
      if (across !== -1) return seam + across;
      at = end;
    }
    return -1;
  }

  includes(part: string): boolean {
    return this.indexOf(part) !== -1;
  }

  #windowAt(at: number): Window {
    const current = this.#window;
    if (current !== undefined && current.start <= at && at < current.end) return current;
    const window = this.#read(lastAtMost(this.#units, at));
    this.#window = window;
    return window;
  }

  #read(index: number): Window {
    const [start = 0, end = start] = this.#units.slice(index, index + 2);
    const [from = 0, to = from] = this.#offsets.slice(index, index + 2);
    const bytes = this.bytes.read(from, to - from);
    return bytes.length === end - start ? { start, end, bytes } : { start, end, bytes, text: bytes.toString('utf8') };
  }
}

/** The bytes of a file, of which the part that was read last is in memory. */
class FileBytes {
  /** One for all parts: to allocate one for each would fill the memory until the next collection. */
  readonly #buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);

  constructor(
    private readonly file: string,
    private readonly stamp: string,
  ) {}

  /** At most a window; fewer bytes at the end of the file. They are good until the next call. */
  read(from: number, length: number): Buffer {
    const read = readPart(this.file, this.stamp, from, this.#buffer.subarray(0, length));
    if (read !== undefined) return this.#buffer.subarray(0, read);
    // With the separators of every system.
    const name = win32.basename(this.file);
    throw new Error(t('{0} has changed and no longer contains this text. Reopen the transcript.', name));
  }
}

/** The bytes of the longest character. */
const BYTES_OF_CHARACTER = 4;

/** Without the beginning of a character whose end is in the next window. */
function wholeCharacters(bytes: Buffer): Buffer {
  let last = bytes.length - 1;
  while (last > 0 && bytes.length - last < BYTES_OF_CHARACTER && isContinuation(bytes[last] as number)) last -= 1;
  return last > 0 && last + lengthOfCharacter(bytes[last] as number) > bytes.length ? bytes.subarray(0, last) : bytes;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** By its first byte. */
function lengthOfCharacter(byte: number): number {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function sliceOf({ start, bytes, text }: Window, from: number, to: number): string {
  if (text === undefined) return bytes.toString('latin1', from - start, to - start);
  return Buffer.from(text.slice(from - start, to - start), 'utf16le').toString('utf16le');
}

/** The index of the last of some ascending numbers that is at most `limit`. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
