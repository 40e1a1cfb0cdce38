import { join } from 'node:path';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { currentLayouts, type DeclaredLayouts, useLayouts } from '../../core/tapes/declaredLayouts';
import { currentTranslation, type Translation, useTranslation } from '../../core/text/l10n';
import type { FileToRead, Read, ReadingTask, ReadingTasks } from './reading';

/** The built `readerThread.ts` of the engine, from a chunk of the same build. */
const SCRIPT = join(__dirname, '..', 'readerThread.js');
/** So that many threads take no more memory than one that reads a large file. */
const THREAD_MB = 256;

interface ThreadData {
  readonly translation: Translation;
  readonly layouts: DeclaredLayouts;
}

/** A message to a thread: open a task, or read a file for the task with this number. */
type Message =
  | { readonly task: string; readonly setup: unknown }
  | { readonly number: number; readonly file: FileToRead };

/** The answer for each file: without a result if reading failed. */
interface Answer {
  readonly result?: unknown;
}

/** A thread that reads one file after the other. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting: ((result: unknown) => void)[] = [];
  #tasks = 0;
  /** The task that was opened last, which several calls may share. */
  #opened: { readonly task: string; readonly setup: unknown; readonly read: Read<FileToRead, unknown> } | undefined;
  #hasEnded = false;

  constructor() {
    this.#worker = new Worker(SCRIPT, {
      workerData: { translation: currentTranslation(), layouts: currentLayouts() } satisfies ThreadData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB },
    });
    this.#worker.on('message', ({ result }: Answer) => this.#waiting.shift()?.(result));
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
  }

  /** A task in this thread. It resolves with undefined if the thread failed. */
  open(task: string, setup: unknown): Read<FileToRead, unknown> {
    if (this.#opened?.task !== task || this.#opened.setup !== setup)
      this.#opened = { task, setup, read: this.#open(task, setup) };
    return this.#opened.read;
  }

  #open(task: string, setup: unknown): Read<FileToRead, unknown> {
    const number = this.#tasks;
    this.#tasks += 1;
    this.#tell({ task, setup });
    return (file) => {
      if (this.#hasEnded) return Promise.resolve(undefined);
      return new Promise((settle) => {
        this.#waiting.push(settle);
        this.#tell({ number, file });
      });
    };
  }

  end(): void {
    this.#end();
    void this.#worker.terminate();
  }

  #tell(message: Message): void {
    this.#worker.postMessage(message);
  }

  #end(): void {
    this.#hasEnded = true;
    for (const settle of this.#waiting.splice(0)) settle(undefined);
  }
}

/** The work of a thread. */
export function serveThread(tasks: ReadingTasks): void {
  if (parentPort === null) return;
  const { translation, layouts } = workerData as ThreadData;
  useTranslation(translation);
  useLayouts(layouts);
  serve(parentPort, tasks);
}

function serve(port: MessagePort, tasks: ReadingTasks): void {
  const opened: Promise<Read<FileToRead, unknown>>[] = [];
  let last = Promise.resolve();
  port.on('message', (message: Message) => {
    if ('task' in message) {
      const task = opened.push(open(tasks, message));
      // Reported when the thread is asked to read a file.
      opened[task - 1]?.catch(() => undefined);
      return;
    }
    last = last.then(async () => {
      const result = await opened[message.number]?.then((read) => read(message.file)).catch(() => undefined);
      port.postMessage({ result } satisfies Answer);
    });
  });
}

async function open(
  tasks: ReadingTasks,
  { task, setup }: { readonly task: string; readonly setup: unknown },
): Promise<Read<FileToRead, unknown>> {
  const known = (await tasks[task]?.()) as ReadingTask<unknown, FileToRead, unknown>;
  return known.open(setup);
}
