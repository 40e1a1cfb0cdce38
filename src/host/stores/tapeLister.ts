import * as vscode from 'vscode';
import { LISTED_GZIP } from '../../core/bytes/fileLimits';
import { isTapePath } from '../../core/project/filePatterns';
import { fileStamp } from '../../core/project/fileStamp';
import type { ListAnswer, ListerApi } from '../../protocol/lister';
import { type Api, type Channel, RpcError, RpcPeer } from '../../protocol/rpc';
import { loadCore } from '../../reader/loadCore';
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
/** A file up to this size is read here while there is no thread: starting one takes longer. */
const SMALL_BYTES = 256 * 1024;

export interface ListRequest {
  /** The stamp of the file as it was last read: it is not read again while it has that one. */
  readonly stamp?: string | undefined;
  readonly isExpected?: true | undefined;
  /** Whether many more files are to be read. */
  readonly isOneOfMany: boolean;
}

/** Reads tapes for the list: on a disk in a thread, so that their texts never are in the host's memory for long. */
export class TapeLister implements vscode.Disposable {
  #thread: { readonly peer: RpcPeer<Api, ListerApi>; end(): void } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param start Starts the thread; absent where there are no threads. */
  constructor(
    private readonly secrets: ProjectSecrets,
    private readonly start?: () => ListerThread,
  ) {}

  async list(uri: vscode.Uri, request: ListRequest): Promise<ListAnswer> {
    if (this.start === undefined || uri.scheme !== 'file') return this.#listHere(uri, request);
    if (this.#thread === undefined && !request.isOneOfMany && (await sizeOf(uri)) <= SMALL_BYTES)
      return this.#listHere(uri, request);
    const { start } = this;
    return this.#inTurn(() => this.#listInThread(uri, request, start));
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#thread?.end();
  }

  /** The thread reads one file at a time, so that a file that ends it is known. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #listInThread(uri: vscode.Uri, request: ListRequest, start: () => ListerThread): Promise<ListAnswer> {
    clearTimeout(this.#idle);
    const { stamp, isExpected } = request;
    const params = { file: uri.fsPath, path: uri.path, stamp, isExpected, secrets: await this.secrets.sourcesFor(uri) };
    this.#thread ??= this.#open(start);
    const thread = this.#thread;
    try {
      return await thread.peer.call('list', params, { timeoutMs: PATIENCE_MS });
    } catch (error) {
      const isOver = error instanceof RpcError && error.code !== 'failed';
      if (isOver) thread.end();
      return unlisted(uri, request, error instanceof Error ? error.message : String(error));
    } finally {
      this.#idle = setTimeout(() => this.#thread?.end(), IDLE_MS);
    }
  }

  #open(start: () => ListerThread) {
    const { channel, ended, end } = start();
    const peer = new RpcPeer<Api, ListerApi>(channel, {}, {});
    const close = (reason: string): void => {
      if (this.#thread === thread) this.#thread = undefined;
      peer.close(reason);
      end();
    };
    const thread = { peer, end: () => close('its reader was stopped') };
    void ended.then(close);
    return thread;
  }

  async #listHere(uri: vscode.Uri, { stamp, isExpected }: ListRequest): Promise<ListAnswer> {
    try {
      const { size, mtime, type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.File) === 0) return {};
      const found = fileStamp(size, mtime);
      if (found === stamp) return 'unchanged';
      const { decodeTapeFile, listTape } = await loadCore();
      const open = async () => decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri), LISTED_GZIP);
      const tape = await listTape(uri.path, size, open, { search: await this.secrets.searchFor(uri), isExpected });
      return { stamp: found, ...(tape && { tape }) };
    } catch (error) {
      // A file that is gone or cannot be read is not a tape at present; the watcher reports when that changes.
      if (error instanceof vscode.FileSystemError) return {};
      throw error;
    }
  }
}

/** How a file is listed whose reading failed, or had to be ended. */
async function unlisted(uri: vscode.Uri, { isExpected }: ListRequest, reason: string): Promise<ListAnswer> {
  const { unlistedTape } = await loadCore();
  const stats = await vscode.workspace.fs.stat(uri).then(
    (found) => found,
    () => undefined,
  );
  if (stats === undefined) return {};
  const stamp = fileStamp(stats.size, stats.mtime);
  return isExpected === true || isTapePath(uri.path) ? { stamp, tape: unlistedTape(reason) } : { stamp };
}

async function sizeOf(uri: vscode.Uri): Promise<number> {
  return vscode.workspace.fs.stat(uri).then(
    ({ size }) => size,
    () => 0,
  );
}
