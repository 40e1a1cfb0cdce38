import { closeSync, openSync, readSync } from 'node:fs';

/** A file that is read in parts, synchronously: what the system has cached is there sooner than a thread could be. */
export class RandomAccessFile {
  readonly #file: number;

  /** Throws the system's error when the file cannot be opened. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** `length` bytes from `at` on; undefined where the file ends before. */
  read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    return this.readInto(bytes, at, length) ? bytes : undefined;
  }

  /** Fills the beginning of `target` with `length` bytes from `at` on; false where the file ends before. */
  readInto(target: Buffer, at: number, length: number): boolean {
    return readSync(this.#file, target, 0, length, at) === length;
  }

  close(): void {
    closeSync(this.#file);
  }
}
