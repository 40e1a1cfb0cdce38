import type { TapeFile } from '../core/tapes/tapeFile';
import { t } from '../core/text/l10n';
import type { TextParts } from '../core/text/textParts';
import { readPart } from './readFile';

/** The UTF-16 units that are read together. */
const WINDOW_UNITS = 64 * 1024;
const BYTES_OF_MARK = 3;

interface Window {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  /** Absent where each byte is a character. */
  readonly text?: string;
}

/**
 * The text of a UTF-8 file, of which only the window that was read last is in memory. What it returns has characters of its own:
 * V8 keeps a slice as a reference to the string that it is from, and a few of each window would keep them all.
 */
export class DiskText implements TextParts {
  readonly length: number;
  /** Where each window starts, and the last one ends: in the text, and in the file. */
  readonly #units: number[] = [];
  readonly #offsets: number[] = [];
  readonly #name: string;
  #window: Window | undefined;

  /**
   * @param file The path of the file
   * @param stamp Of the file when it was read
   * @param tape What it contains, as UTF-8
   */
  constructor(
    private readonly file: string,
    private readonly stamp: string,
    { path, text, bom }: Pick<TapeFile, 'path' | 'text' | 'bom'>,
  ) {
    this.length = text.length;
    this.#name = path.slice(path.lastIndexOf('/') + 1);
    let offset = bom ? BYTES_OF_MARK : 0;
    for (let at = 0; at < text.length; ) {
      this.#units.push(at);
      this.#offsets.push(offset);
      const end = windowEnd(text, at);
      offset += Buffer.byteLength(text.slice(at, end));
      at = end;
    }
    this.#units.push(text.length);
    this.#offsets.push(offset);
  }

  slice(start = 0, end = this.length): string {
    const last = Math.min(end, this.length);
    let slice = '';
    for (let at = start; at < last; ) {
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
    const bytes = readPart(this.file, this.stamp, from, to);
    if (bytes === undefined)
      throw new Error(t('{0} has changed and no longer contains this text. Reopen the transcript.', this.#name));
    return bytes.length === end - start ? { start, end, bytes } : { start, end, bytes, text: bytes.toString('utf8') };
  }
}

/** The end of a window that begins at `start`: not between the two units of a character. */
function windowEnd(text: string, start: number): number {
  const end = Math.min(start + WINDOW_UNITS, text.length);
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? Math.min(end + 1, text.length) : end;
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
