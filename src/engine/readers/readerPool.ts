import { availableParallelism } from 'node:os';
import { setImmediate as pause } from 'node:timers/promises';
import { lazy } from '../../core/text/memo';
import { isSystemError } from '../errors/systemError';
import { fileStatus } from '../files/fileStatus';
import { ReaderThread } from './readerThread';
import type { FileToRead, Read, ReadingTask } from './reading';

/** A thread takes a tenth of a second to load its code: fewer files are read faster without it. */
const FILES_PER_THREAD = 50;
/** More would take more memory than a check should, and wait for the disk. */
const MOST_THREADS = 3;
/** Larger files are read in the thread that asks, one at a time: each takes several times its size. */
const THREAD_BYTES = 2e6;
/** How long this thread reads before others have their turn: the threads, which need their next files, and a cancellation. */
const TURN_MS = 5;
/** Files that are queued for a thread, so that it need not wait until this one has read a file. */
const AHEAD = 16;

export interface ReadOptions<File, Result> {
  readonly signal: AbortSignal;
  /** Reads in this thread: large files, then others, and those that a thread failed to read, so that errors are reported here. */
  readonly here: Read<File, Result>;
  /** A file is begun. */
  begin?(file: File): void;
  /** A file was read. What it returns is awaited before the next one. */
  done(file: File, result: Result): unknown;
}

const processors = lazy(availableParallelism);

/** How many threads read this many files beside this one. */
function threadsFor(files: number): number {
  const readers = files < 2 * FILES_PER_THREAD ? 1 : Math.min(Math.floor(files / FILES_PER_THREAD), processors());
  return Math.min(readers - 1, MOST_THREADS);
}

/** Threads that read many files, for one command or one call. They are started when there are enough files, and stay until `end`. */
export class ReaderPool {
  readonly #threads: ReaderThread[] = [];

  /** Starts the threads that so many files will need, while they are still being listed. */
  prepare<Setup>(files: number, task: Pick<ReadingTask<Setup, never, unknown>, 'name'>, setup: Setup): void {
    const count = threadsFor(files);
    while (this.#threads.length < count) {
      const thread = new ReaderThread();
      thread.open(task.name, setup);
      this.#threads.push(thread);
    }
  }

  /** Reads files, in no order, until all are read or it is cancelled; then nothing more is read. */
  async read<Setup, File extends FileToRead, Result>(
    files: readonly File[],
    task: Pick<ReadingTask<Setup, File, Result>, 'name'>,
    setup: Setup,
    { signal, here, begin, done }: ReadOptions<File, Result>,
  ): Promise<void> {
    this.prepare(files.length, task, setup);
    const count = threadsFor(files.length);
    const threads = this.#threads.slice(0, count).map((thread) => thread.open(task.name, setup));
    const [small, large] = count === 0 ? [[], [...files]] : await bySize(files);
    const work = async (queue: File[], read: Read<File, Result | undefined>): Promise<void> => {
      for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
        begin?.(file);
        const result = await read(file);
        if (signal.aborted) return;
        await done(file, result ?? (await inTurn(here, file)));
      }
    };
    const inTurn = turns();
    const end = (): void => this.end();
    signal.addEventListener('abort', end);
    try {
      const inThreads = threads.flatMap((thread) => {
        const read = async (file: File) => (await thread(file)) as Result | undefined;
        return Array.from({ length: AHEAD }, () => work(small, read));
      });
      const readHere: Read<File, Result> = (file) => inTurn(here, file);
      await Promise.all([...inThreads, work(large, readHere).then(() => work(small, readHere))]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  end(): void {
    for (const thread of this.#threads.splice(0)) thread.end();
  }
}

/** Reads in this thread, where others have their turn between files, such as a cancellation. */
function turns(): <File, Result>(read: Read<File, Result>, file: File) => Promise<Result> {
  let turn = performance.now();
  return async (read, file) => {
    const result = await read(file);
    if (performance.now() - turn < TURN_MS) return result;
    await pause();
    turn = performance.now();
    return result;
  };
}

/** The largest files come first, so that no thread is left with one at the end. */
async function bySize<File extends FileToRead>(
  files: readonly File[],
): Promise<readonly [small: File[], large: File[]]> {
  const sized: { readonly file: File; readonly size: number }[] = [];
  for (const file of files) sized.push({ file, size: file.size ?? (await sizeOf(file.path)) });
  sized.sort((left, right) => right.size - left.size);
  const large = sized.filter(({ size }) => size >= THREAD_BYTES);
  return [sized.slice(large.length).map(({ file }) => file), large.map(({ file }) => file)];
}

/** 0 if it is unknown: reading the file will report why. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await fileStatus(path))?.size ?? 0;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}
