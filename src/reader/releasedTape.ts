import { looksLikeJson } from '../core/json/jsonOutline';
import { pathOfTape, type TapeFile } from '../core/tapes/tapeFile';
import type { TextParts } from '../core/text/textParts';
import { DiskText } from './diskText';
import { contentStamp, readTapeFile, refuseUnreadable } from './readFile';

/** How often a tape is read that changes while it is: a recording replaces it after each request. */
const ATTEMPTS = 3;

/**
 * Reads a tape, of which nothing is held in memory when `read` has ended but what that keeps: parts of the text are read from the
 * file where they are needed. JSON is not in memory as a whole even while it is read, except by formats that ask for its `text`:
 * for a moment, Node has both the bytes and the characters of what it reads at once. Rejects when the file is too large.
 */
export async function openTapeFile<T>(file: string, path: string, read: (tape: TapeFile) => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const stamp = contentStamp(file);
    try {
      return await readReleased(file, path, stamp, read);
    } catch (error) {
      if (attempt === ATTEMPTS || contentStamp(file) === stamp) throw error;
    }
  }
}

async function readReleased<T>(file: string, path: string, stamp: string, read: (tape: TapeFile) => T): Promise<T> {
  refuseUnreadable(file, path);
  const disk = /\.gz$/i.test(path) ? undefined : DiskText.open(file, stamp);
  if (disk === undefined) return read(await readTapeFile(file, path));
  const text = looksLikeJson(disk) ? undefined : (await readTapeFile(file, path)).text;
  const released = new ReleasedTape(path, disk, text);
  try {
    return read(released);
  } finally {
    released.release();
  }
}

class ReleasedTape implements TapeFile {
  readonly path: string;
  readonly encoding = 'utf-8';
  readonly bom: boolean;
  readonly #disk: DiskText;
  #text: string | undefined;
  #parts: TextParts;
  #isBeingRead = true;

  /** @param text The whole, if that is read; else its parts are */
  constructor(path: string, disk: DiskText, text: string | undefined) {
    this.path = pathOfTape(path);
    this.bom = disk.bom;
    this.#disk = disk;
    this.#text = text;
    this.#parts = text ?? disk;
  }

  /** Kept until the tape has been read; read anew by who asks later. */
  get text(): string {
    const text = this.#text ?? this.#disk.slice();
    if (this.#isBeingRead) this.#text = text;
    return text;
  }

  get parts(): TextParts {
    return this.#parts;
  }

  get bytes(): Uint8Array {
    return new TextEncoder().encode(this.bom ? `\uFEFF${this.text}` : this.text);
  }

  release(): void {
    this.#isBeingRead = false;
    this.#text = undefined;
    this.#parts = this.#disk;
  }
}
