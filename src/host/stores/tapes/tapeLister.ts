import * as vscode from 'vscode';
import { type Connected, connect } from '../../../contracts/contract';
import { type FoundFile, lister } from '../../../contracts/reader/lister';
import { type Channel, RpcError } from '../../../contracts/rpc/rpc';
import { LISTED_GZIP } from '../../../core/bytes/fileLimits';
import { isTapePath } from '../../../core/project/filePatterns';
import { fileStamp, listingStamp } from '../../../core/project/fileStamp';
import { currentLayouts } from '../../../core/tapes/declaredLayouts';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import type { ProjectSecrets } from './projectSecrets';

/** A thread that lists tapes. */
export interface ListerThread {
  readonly channel: Channel;
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<string>;
  end(): void;
}

/** The memory of a thread is freed when it ends, which it does after this long without work. */
const IDLE_MS = 3000;
/** A tape that takes longer is listed without its content. */
const PATIENCE_MS = 20_000;
/** So few files of up to this size are read here while there is no thread: starting one takes longer. */
const FEW = 8;
const SMALL_BYTES = 256 * 1024;

export interface ListRequest {
  readonly uri: vscode.Uri;
  /** The stamp of the file as it was last read: it is not read again while it has that one. */
  readonly stamp?: string | undefined;
  readonly isExpected?: true | undefined;
}

/** A file that was read, or looked at. */
export type ListResult = 'unchanged' | FoundFile;

/** Reads tapes for the list: on a disk in a thread, so that their texts never are in the host's memory for long. */
export class TapeLister implements vscode.Disposable {
  #thread: { readonly reader: Connected<typeof lister>; end(): void } | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param start Starts the thread; absent if there are no threads. */
  constructor(
    private readonly secrets: ProjectSecrets,
    private readonly start?: () => ListerThread,
  ) {}

  /** Reads the first of these files, at least one, in their order; the next call is made when it has answered. */
  async list(requests: readonly ListRequest[]): Promise<readonly ListResult[]> {
    const { start } = this;
    const isHere = start === undefined || requests.some(({ uri }) => uri.scheme !== 'file');
    if (isHere || (this.#thread === undefined && requests.length <= FEW && (await areSmall(requests))))
      return Promise.all(requests.slice(0, FEW).map((request) => this.#listHere(request)));
    return this.#listInThread(requests, start);
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#thread?.end();
  }

  async #listInThread(requests: readonly ListRequest[], start: () => ListerThread): Promise<readonly ListResult[]> {
    const answers = await this.#ask(requests, start);
    if ('failed' in answers) {
      const [request, ...others] = requests;
      if (request !== undefined && others.length === 0) return [await this.#unlisted(request, answers.failed)];
      return this.#oneByOne(requests, start);
    }
    const results = requests.slice(0, answers.length).map((request, at) => {
      const answer = answers[at] ?? {};
      return answer !== 'unchanged' && 'failed' in answer ? this.#unlisted(request, answer.failed) : answer;
    });
    return Promise.all(results);
  }

  /** Reads each file by itself, so that the one that ends the thread is known. */
  async #oneByOne(requests: readonly ListRequest[], start: () => ListerThread): Promise<readonly ListResult[]> {
    const results: ListResult[] = [];
    for (const request of requests) results.push(...(await this.#listInThread([request], start)));
    return results;
  }

  async #ask(requests: readonly ListRequest[], start: () => ListerThread) {
    clearTimeout(this.#idle);
    const secrets = await this.secrets.sourcesForAll(requests.map(({ uri }) => uri));
    const files = requests.map(({ uri, stamp, isExpected }, at) => {
      return { file: uri.fsPath, path: uri.path, stamp, isExpected, secrets: secrets[at] ?? NO_SECRETS };
    });
    this.#thread ??= this.#open(start);
    const thread = this.#thread;
    try {
      return await thread.reader.calls.list({ files, layouts: currentLayouts() }, { timeoutMs: PATIENCE_MS });
    } catch (error) {
      if (error instanceof RpcError && error.code !== 'failed') thread.end();
      return { failed: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#idle = setTimeout(() => this.#thread?.end(), IDLE_MS);
    }
  }

  #open(start: () => ListerThread) {
    const { channel, ended, end } = start();
    const reader = connect(lister, channel);
    const close = (reason: string): void => {
      if (this.#thread === thread) this.#thread = undefined;
      reader.close(reason);
      end();
    };
    const thread = { reader, end: () => close(t('its reader was stopped')) };
    void ended.then(close);
    return thread;
  }

  async #listHere(request: ListRequest): Promise<ListResult> {
    const { uri, stamp, isExpected } = request;
    try {
      const { size, mtime, type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.File) === 0) return {};
      const found = await this.#stampOf(uri, size, mtime, isExpected);
      if (found === stamp) return 'unchanged';
      const { decodeTapeFile, listTape } = await loadCore();
      const open = async () => decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri), LISTED_GZIP);
      const tape = await listTape(uri.path, size, open, { search: await this.secrets.searchFor(uri), isExpected });
      return { stamp: found, tape };
    } catch (error) {
      // A file that is gone or cannot be read is not a tape at present; the watcher reports when that changes.
      if (error instanceof vscode.FileSystemError) return {};
      return this.#unlisted(request, error instanceof Error ? error.message : String(error));
    }
  }

  /** How a file is listed whose reading failed, or had to be ended. */
  async #unlisted({ uri, isExpected }: ListRequest, reason: string): Promise<FoundFile> {
    const { unlistedTape } = await loadCore();
    const stats = await vscode.workspace.fs.stat(uri).then(
      (found) => found,
      () => undefined,
    );
    if (stats === undefined) return {};
    const stamp = await this.#stampOf(uri, stats.size, stats.mtime, isExpected);
    return isExpected === true || isTapePath(uri.path) ? { stamp, tape: unlistedTape(reason) } : { stamp };
  }

  async #stampOf(uri: vscode.Uri, size: number, mtime: number, isExpected: true | undefined): Promise<string> {
    return listingStamp(fileStamp(size, mtime), await this.secrets.stampFor(uri), isExpected);
  }
}

const NO_SECRETS = { values: [], patterns: [] };

async function areSmall(requests: readonly ListRequest[]): Promise<boolean> {
  const sizes = requests.map(({ uri }) =>
    vscode.workspace.fs.stat(uri).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).every((size) => size <= SMALL_BYTES);
}
