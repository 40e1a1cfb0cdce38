/** A file to read. Plain data, which a thread is given. */
export interface FileToRead {
  /** Absolute. */
  readonly path: string;
  /** In bytes, if it is known. */
  readonly size?: number | undefined;
}

/** Reads one file after the other. */
export type Read<File, Result> = (file: File) => Promise<Result>;

/** Something that is done with many files, in this thread or in others. All that goes to and from a thread is plain data. */
export interface ReadingTask<Setup, File extends FileToRead, Result> {
  readonly name: string;
  /** What it learns from one file serves the next. */
  open(setup: Setup): Read<File, Result>;
}

/** The tasks that a thread can open, each loaded when it is first needed. */
export type ReadingTasks = Readonly<Record<string, () => Promise<unknown>>>;
