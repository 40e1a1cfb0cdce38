import type { TapeFile } from '../core/tapes/tapeFile';
import { releasing } from '../core/text/textParts';
import { DiskText } from './diskText';
import { contentStamp, readTapeFile } from './readFile';

/**
 * Reads a tape, of which nothing is held in memory when `read` has ended but what that keeps: parts of the text are read from the
 * file where they are needed. Rejects when it is too large.
 */
export async function openTapeFile<T>(file: string, path: string, read: (tape: TapeFile) => T): Promise<T> {
  const stamp = contentStamp(file);
  const tape = await readTapeFile(file, path);
  if (!isAsOnDisk(tape)) return read(tape);
  const released = new ReleasedTape(tape, new DiskText(file, stamp, tape));
  try {
    return releasing(tape.text, released.parts, () => read(released));
  } finally {
    released.release();
  }
}

/** Whether the file has the text as UTF-8. */
function isAsOnDisk({ encoding, gzipHeader, unreadable }: TapeFile): boolean {
  return encoding === 'utf-8' && gzipHeader === undefined && unreadable === undefined;
}

class ReleasedTape implements TapeFile {
  readonly path: string;
  readonly encoding = 'utf-8';
  readonly bom: boolean;
  #held: string | undefined;

  constructor(
    { path, bom, text }: TapeFile,
    readonly parts: DiskText,
  ) {
    this.path = path;
    this.bom = bom;
    this.#held = text;
  }

  get text(): string {
    return this.#held ?? this.parts.slice();
  }

  get bytes(): Uint8Array {
    return new TextEncoder().encode(this.bom ? `\uFEFF${this.text}` : this.text);
  }

  release(): void {
    this.#held = undefined;
  }
}
