import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { currentTranslation, type Translation, useTranslation } from '../../core/text/l10n';
import { type FileOutcome, FileVerifier, type VerifierOptions, type WantedFile } from './fileVerifier';

/** The built `verifyThread.ts`, from a chunk of the same build. */
const SCRIPT = join(__dirname, '..', 'verifyThread.js');

/** Each thread reads the code again, in a tenth of a second: fewer files are verified sooner without it. */
const FILES_PER_THREAD = 50;
/** More would take more memory than people expect of a check, and wait for the disk. */
const MOST_THREADS = 4;
/** So that many threads take no more memory than one that reads a large file. */
const THREAD_MB = 256;

interface ThreadData {
  readonly options: VerifierOptions;
  readonly translation: Translation;
}

/** What a thread answers: undefined where it failed, so that the file is verified again where errors are told. */
interface Answer {
  readonly outcome: FileOutcome | undefined;
}

/** How many threads verify this many files. */
export function threadsFor(files: number): number {
  const wanted = Math.min(Math.floor(files / FILES_PER_THREAD), availableParallelism(), MOST_THREADS);
  return wanted < 2 ? 0 : wanted;
}

/** A thread that verifies one file after the other. */
export class VerifierThread {
  readonly #worker: Worker;
  #settle: ((outcome: FileOutcome | undefined) => void) | undefined;
  #hasEnded = false;

  constructor(options: VerifierOptions) {
    this.#worker = new Worker(SCRIPT, {
      workerData: { options, translation: currentTranslation() } satisfies ThreadData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB },
    });
    this.#worker.on('message', ({ outcome }: Answer) => this.#answer(outcome));
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
  }

  /** Undefined where the thread failed. */
  verify(file: WantedFile): Promise<FileOutcome | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    return new Promise((settle) => {
      this.#settle = settle;
      this.#worker.postMessage(file);
    });
  }

  end(): void {
    void this.#worker.terminate();
  }

  #answer(outcome: FileOutcome | undefined): void {
    this.#settle?.(outcome);
    this.#settle = undefined;
  }

  #end(): void {
    this.#hasEnded = true;
    this.#answer(undefined);
  }
}

/** The work of a thread. */
export function serveThread(): void {
  if (parentPort === null) return;
  const { options, translation } = workerData as ThreadData;
  useTranslation(translation);
  serve(parentPort, new FileVerifier(options, process.env));
}

function serve(port: MessagePort, verifier: FileVerifier): void {
  port.on('message', async (file: WantedFile) => {
    const outcome = await verifier.verify(file).catch(() => undefined);
    port.postMessage({ outcome } satisfies Answer);
  });
}
