import type * as vscode from 'vscode';
import type { PriceTable } from '../../../core/prices/priceTable';
import { type ReaderApi, type ReaderStart, readerGuards } from '../../../protocol/reader';
import { type ApiCalls, forwardApi } from '../../../protocol/rpc';
import { TapeSource } from '../../../reader/tapeSource';
import type { TapeDocument } from '../tapeDocument';
import type { ThreadSource } from './threadSource';

/** Absent in a browser. */
export type StartReader = (start: ReaderStart) => ThreadSource;

/** A thread that nobody asks is kept so long, in milliseconds: to look at another tab and come back. */
const IDLE_MS = 30_000;

interface SelectedSource {
  readonly version: number;
  readonly source: Promise<ApiCalls<ReaderApi>>;
}

/**
 * Where a document is read: in a thread of its own while it is a large file as it is on disk, else here. The host of all
 * extensions then neither holds it nor works on it, and gets back all that the thread has used.
 */
export class SourceSelector implements vscode.Disposable {
  readonly name: string;
  readonly #here: ApiCalls<ReaderApi>;
  #chosen: SelectedSource | undefined;
  #thread: ThreadSource | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly document: TapeDocument,
    private readonly prices: () => Promise<PriceTable | undefined>,
    private readonly start: StartReader | undefined,
  ) {
    const source = new TapeSource(document, prices);
    this.name = source.name;
    this.#here = forwardApi(readerGuards, () => source);
  }

  /** For one question: the next may have to be asked somewhere else. */
  current(): Promise<ApiCalls<ReaderApi>> {
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
    this.#resting = setTimeout(() => this.#end(), IDLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#resting);
    this.#end();
  }

  async #choose(version: number): Promise<ApiCalls<ReaderApi>> {
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
      return thread.api;
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
