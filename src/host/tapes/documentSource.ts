import type * as vscode from 'vscode';
import type { PriceTable } from '../../core/prices/priceTable';
import type { ReadingStart } from '../../protocol/tapeReading';
import type { TapeDocument } from './tapeDocument';
import { TapeSource } from './tapeSource';
import type { ThreadSource } from './threadSource';
import type { TranscriptSource } from './transcriptSource';

/** Absent in a browser. */
export type StartReading = (start: ReadingStart) => ThreadSource;

/** A thread that nobody asks is kept so long, in milliseconds: to look at another tab and come back. */
const REST_MS = 30_000;

interface Chosen {
  readonly version: number;
  readonly source: Promise<TranscriptSource>;
}

/**
 * Where a document is read: in a thread of its own while it is a large file as it is on disk, else here. The host of all
 * extensions then neither holds it nor works on it, and gets back all that the thread has used.
 */
export class DocumentSource implements vscode.Disposable {
  readonly #here: TapeSource;
  #chosen: Chosen | undefined;
  #thread: ThreadSource | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly document: TapeDocument,
    private readonly prices: () => Promise<PriceTable | undefined>,
    private readonly start: StartReading | undefined,
  ) {
    this.#here = new TapeSource(document, prices);
  }

  get name(): string {
    return this.#here.name;
  }

  /** For one question: the next may have to be asked somewhere else. */
  now(): Promise<TranscriptSource> {
    clearTimeout(this.#resting);
    const { version } = this.document;
    if (this.#chosen?.version !== version) {
      this.#end();
      this.#chosen = { version, source: this.#choose(version) };
    }
    return this.#chosen.source;
  }

  /** Nobody looks at it now. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#end(), REST_MS);
  }

  dispose(): void {
    clearTimeout(this.#resting);
    this.#end();
  }

  async #choose(version: number): Promise<TranscriptSource> {
    try {
      const file = await this.document.largeFile?.();
      if (file === undefined || this.start === undefined) return this.#here;
      const prices = await this.prices();
      if (this.#chosen === undefined) throw new Error('The transcript was closed.');
      if (this.#chosen.version !== version) return await this.#chosen.source;
      const thread = this.start({ file, path: this.document.uri.path, version, prices });
      void thread.ended.then(() => {
        if (this.#thread === thread) this.#end();
      });
      this.#thread = thread;
      return thread;
    } catch (error) {
      this.#forget(version);
      throw error;
    }
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
