import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tooLargeReason } from '../../core/bytes/fileLimits';
import { isSystemError, unlessMissing } from '../errors/systemError';
import { requireReadable } from './confinement';

/** Pipes and files of `/proc` have no size: they are read in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** Of larger files, text and bytes are not held together. */
const COPIED_BYTES = 32 * 2 ** 20;
/** Of a file that is read without holding it. */
const HELD_BYTES = 2 ** 20;
/** Smaller files are read faster in this thread than in another one. */
const SMALL_BYTES = 64 * 1024;

/** A system error like those that Node rejects with, so that callers report it in the same place. */
class FileTooLargeError extends Error {
  readonly code = 'EFBIG';
  readonly syscall = 'read';

  constructor(
    readonly path: string,
    limit: number,
  ) {
    super(tooLargeReason(limit));
  }
}

/** What Node rejects with does not name the folder. */
class FolderError extends Error {
  readonly code = 'EISDIR';
  readonly syscall = 'read';

  constructor(readonly path: string) {
    super(`EISDIR: illegal operation on a directory, read '${path}'`);
  }
}

/** A pipe, a device, or a socket. */
class NoFileError extends Error {
  readonly code = 'ENXIO';
  readonly syscall = 'read';

  constructor(readonly path: string) {
    super(`ENXIO: no such device or address, read '${path}'`);
  }
}

interface ReadOptions {
  /**
   * The user named the file, which may be a pipe or a device. What a project names may not: to open a pipe is to wait until somebody writes,
   * and a device may have no end.
   */
  readonly mayBePipe?: boolean;
}

/** Opening what turns out to be a pipe does not wait. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function flagsFor({ mayBePipe = false }: ReadOptions): number {
  return mayBePipe ? constants.O_RDONLY : WITHOUT_WAITING;
}

function requireFile(path: string, status: Stats, { mayBePipe = false }: ReadOptions = {}): void {
  if (status.isDirectory()) throw new FolderError(path);
  if (!mayBePipe && !status.isFile()) throw new NoFileError(path);
}

/**
 * Reads a file of at most `limit` bytes. The size is that of the opened file, and no more is read, even if it grows
 * meanwhile. Rejects with the system's error, also for a file that is too large.
 */
export async function readBytes(path: string, limit: number, options: ReadOptions = {}): Promise<Buffer> {
  requireReadable(path);
  const status = statSync(path, { throwIfNoEntry: false });
  const small = Math.min(limit, SMALL_BYTES);
  const bytes = status?.isFile() && status.size <= small ? readSmall(path, small) : undefined;
  if (bytes !== undefined) return bytes;
  const file = await open(path, flagsFor(options));
  try {
    const status = await file.stat();
    const { size } = status;
    requireFile(path, status, options);
    if (size > limit) throw new FileTooLargeError(path, limit);
    return size === 0 ? await readToEnd(file, path, limit) : await readSize(file, size);
  } finally {
    await file.close();
  }
}

/** Reads a file of at most `limit` bytes; undefined if it has more. */
function readSmall(path: string, limit: number): Buffer | undefined {
  const file = openSync(path, WITHOUT_WAITING);
  try {
    const status = fstatSync(file);
    const { size } = status;
    if (!status.isFile() || size > limit) return undefined;
    // A size of 0 says nothing: files of the system have it, whatever is in them.
    const bytes = Buffer.allocUnsafeSlow(size === 0 ? limit + 1 : size);
    const length = fill(bytes, file);
    return length > limit ? undefined : bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Fills `bytes` from the current position of the file; returns the number of bytes read. */
function fill(bytes: Buffer, file: number): number {
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null);
  return length;
}

/** The content of a file, read when it is asked for, each time from the start. A pipe is read once. */
export interface FileContent {
  text(): string;
  bytes(): Buffer;
}

/** Like `readBytes`, for what may be large and is needed either as text or as bytes. */
export async function readContent(path: string, limit: number, options: ReadOptions = {}): Promise<FileContent> {
  requireReadable(path);
  const status = statSync(path);
  requireFile(path, status, options);
  if (status.size > limit) throw new FileTooLargeError(path, limit);
  if (status.isFile() && status.size > 0)
    return { text: () => readWholeText(path, status.size), bytes: () => readFileSync(path) };
  return contentOf(await readBytes(path, limit, options));
}

/** The bytes of a file, at once, for what makes little of them: the heap hardly grows. Otherwise like `readBytes`, and throws. */
export function readBytesAtOnce(path: string, limit: number): Buffer {
  requireReadable(path);
  const status = statSync(path);
  requireFile(path, status);
  if (status.size > limit) throw new FileTooLargeError(path, limit);
  return readFileSync(path);
}

/** Copies ASCII instead of decoding it, which takes a quarter of the time, but holds the bytes as well. */
function readWholeText(path: string, size: number): string {
  if (size > COPIED_BYTES) return readFileSync(path, 'utf8');
  return decodedText(readFileSync(path));
}

function decodedText(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/**
 * The content of two files with the same bytes, as that of the first; undefined where they differ, and for what is no file, empty, or
 * too large. Each file is read once, unless it is too large to be held beside its text.
 */
export async function readSameContent(path: string, other: string, limit: number): Promise<FileContent | undefined> {
  const sizes = [path, other].map((one) => {
    requireReadable(one);
    const status = statSync(one, { throwIfNoEntry: false });
    return status?.isFile() ? status.size : 0;
  });
  const [size = 0] = sizes;
  if (size === 0 || size > limit || size !== sizes[1]) return undefined;
  const files = [new RandomAccessFile(path), new RandomAccessFile(other)] as const;
  try {
    const isHeld = size <= COPIED_BYTES;
    const bytes = Buffer.allocUnsafeSlow(isHeld ? size : HELD_BYTES);
    if (!areEqual(files, size, bytes)) return undefined;
    return isHeld
      ? { text: () => decodedText(bytes), bytes: () => bytes }
      : { text: () => readWholeText(path, size), bytes: () => readFileSync(path) };
  } finally {
    for (const file of files) file.close();
  }
}

/** Compares two files piece by piece. What is read of the first is in `into` afterwards, or its last piece where `into` holds only one. */
function areEqual([left, right]: readonly [RandomAccessFile, RandomAccessFile], size: number, into: Buffer): boolean {
  const piece = Buffer.allocUnsafeSlow(Math.min(HELD_BYTES, size));
  for (let at = 0; at < size; at += HELD_BYTES) {
    const length = Math.min(HELD_BYTES, size - at);
    const start = at % into.length;
    const own = into.subarray(start, start + length);
    if (!left.readInto(own, at, length) || !right.readInto(piece, at, length)) return false;
    if (own.compare(piece, 0, length) !== 0) return false;
  }
  return true;
}

/** Bytes as the content of a file. */
export function contentOf(bytes: Buffer): FileContent {
  return { text: () => bytes.toString('utf8'), bytes: () => bytes };
}

/** What is piped into this process, at most `limit` bytes. */
export async function readInput(limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    length += piece.length;
    if (length > limit) throw new FileTooLargeError('-', limit);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** The same; undefined if there is no such file. */
export async function readBytesIfThere(path: string, limit: number): Promise<Buffer | undefined> {
  requireReadable(path);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  return unlessMissing(readBytes(path, limit));
}

/** The SHA-256 of a file's bytes, in hex, without holding them; undefined if there is no such file. */
export function digestIfThere(path: string, limit: number): Promise<string | undefined> {
  return unlessMissing(digestOf(path, limit));
}

async function digestOf(path: string, limit: number): Promise<string> {
  requireReadable(path);
  const file = await open(path, WITHOUT_WAITING);
  try {
    requireFile(path, await file.stat());
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafeSlow(HELD_BYTES);
    for (let length = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, HELD_BYTES, null);
      if (bytesRead === 0) return hash.digest('hex');
      length += bytesRead;
      if (length > limit) throw new FileTooLargeError(path, limit);
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** The file as UTF-8, with replacement characters for what is not. Otherwise like `readBytes`. */
export async function readText(path: string, limit: number, options: ReadOptions = {}): Promise<string> {
  return (await readBytes(path, limit, options)).toString('utf8');
}

/** The same; undefined if there is no such file. */
export async function readTextIfThere(path: string, limit: number): Promise<string | undefined> {
  return (await readBytesIfThere(path, limit))?.toString('utf8');
}

/** Like `readText`, and throws. For walks over thousands of small files, which are several times faster so. */
export function readTextSync(path: string, limit: number): string {
  requireReadable(path);
  const file = openSync(path, WITHOUT_WAITING);
  try {
    const status = fstatSync(file);
    const { size } = status;
    requireFile(path, status);
    if (size > limit) throw new FileTooLargeError(path, limit);
    const bytes = Buffer.allocUnsafe(size);
    return bytes.toString('utf8', 0, fill(bytes, file));
  } finally {
    closeSync(file);
  }
}

/** The same; undefined if the system cannot read it. */
export function readTextIfPossible(path: string, limit: number): string | undefined {
  try {
    return readTextSync(path, limit);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

async function readSize(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = (await file.read(bytes, length, size - length, null)).bytesRead;
  return length === size ? bytes : bytes.subarray(0, length);
}

async function readToEnd(file: FileHandle, path: string, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return Buffer.concat(pieces, length);
    length += bytesRead;
    if (length > limit) throw new FileTooLargeError(path, limit);
    pieces.push(piece.subarray(0, bytesRead));
  }
}

/** A file that is read in parts, synchronously: what the system has cached is there sooner than a thread could be. */
export class RandomAccessFile {
  readonly #file: number;

  /** Throws the system's error when the file cannot be opened. */
  constructor(path: string) {
    requireReadable(path);
    this.#file = openSync(path, WITHOUT_WAITING);
    const status = fstatSync(this.#file);
    if (status.isFile()) return;
    closeSync(this.#file);
    requireFile(path, status);
  }

  /** `length` bytes from `at` on; undefined if the file ends before. */
  read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    return this.readInto(bytes, at, length) ? bytes : undefined;
  }

  /** Fills the beginning of `target` with `length` bytes from `at` on; false if the file ends before. */
  readInto(target: Buffer, at: number, length: number): boolean {
    return readSync(this.#file, target, 0, length, at) === length;
  }

  close(): void {
    closeSync(this.#file);
  }
}
