import type * as vscode from 'vscode';
import { type Answers, forward } from '../../../contracts/contract';
import { type ReaderStart, reader } from '../../../contracts/reader/reader';
import type { PriceTable } from '../../../core/prices/priceTable';
import { t } from '../../../core/text/l10n';
import type { TapeDocument } from '../tapeDocument';
import type { ThreadSource } from './threadSource';

type TapeAnswers = Answers<typeof reader.calls>;

/** Starts a thread that reads a tape. */
export type StartReader = (start: ReaderStart) => ThreadSource;

/** How long an unused thread is kept, in milliseconds, so that users can switch to another tab and back. */
const IDLE_MS = 30_000;

interface SelectedSource {
  readonly version: number;
  readonly source: Promise<TapeAnswers>;
}

/**
 * Selects where a document is read: a large file without unsaved changes in a thread of its own, any other here. The
 * thread keeps memory and work out of the extension host, and frees all its memory when it ends.
 */
export class SourceSelector implements vscode.Disposable {
  readonly name: string;
  #here: Promise<TapeAnswers> | undefined;
  #chosen: SelectedSource | undefined;
  #thread: ThreadSource | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly document: TapeDocument,
    private readonly prices: () => Promise<PriceTable | undefined>,
    private readonly start: StartReader | undefined,
  ) {
    const { path } = document.uri;
    this.name = path.slice(path.lastIndexOf('/') + 1);
  }

  /** The source for one query. Do not keep it: the next query may need another. */
  current(): Promise<TapeAnswers> {
    clearTimeout(this.#idleTimer);
    const { version } = this.document;
    if (this.#chosen?.version !== version) {
      this.#end();
      this.#chosen = { version, source: this.#choose(version) };
    }
    return this.#chosen.source;
  }

  /** Call it when the transcript is hidden; the thread ends after a while. */
  rest(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#end(), IDLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#idleTimer);
    this.#end();
  }

  async #choose(version: number): Promise<TapeAnswers> {
    try {
      const file = await this.document.largeFile?.();
      if (file === undefined || this.start === undefined) {
        this.#here ??= this.#readHere();
        return await this.#here;
      }
      const prices = await this.prices();
      if (this.#chosen === undefined) throw new Error(t('The transcript was closed.'));
      if (this.#chosen.version !== version) return await this.#chosen.source;
      const thread = this.start({ file, path: this.document.uri.path, version, prices });
      void thread.ended.then(() => {
        if (this.#thread === thread) this.#end();
      });
      this.#thread = thread;
      return thread.calls;
    } catch (error) {
      this.#forget(version);
      throw error;
    }
  }

  async #readHere(): Promise<TapeAnswers> {
    const { TapeSource } = await import('../../../reader/tapeSource');
    const source = new TapeSource(this.document, this.prices);
    return forward(reader.calls, () => source);
  }

  #forget(version: number): void {
    if (this.#chosen?.version === version) this.#chosen = undefined;
  }

  #end(): void {
    this.#thread?.end();
    this.#thread = undefined;
    this.#chosen = undefined;
  }
}
