import { t } from '../../../core/text/l10n';
import { type ReaderApi, readerGuards } from '../../../protocol/reader/reader';
import { type Api, type ApiCalls, type Channel, RpcPeer, remoteApi } from '../../../protocol/rpc/rpc';

/** A thread that reads a tape. */
export interface ReaderThread {
  readonly channel: Channel;
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<string>;
  end(): void;
}

/** A tape that a thread reads. */
export class ThreadSource {
  readonly api: ApiCalls<ReaderApi>;
  /** Resolves when no more queries can be sent. */
  readonly ended: Promise<void>;
  readonly #peer: RpcPeer<Api, ReaderApi>;
  readonly #thread: ReaderThread;

  /** @param name The name of the tape, for errors when the thread ends early. */
  constructor(thread: ReaderThread, name: string) {
    this.#thread = thread;
    this.#peer = new RpcPeer<Api, ReaderApi>(thread.channel, {}, {});
    this.api = remoteApi(readerGuards, this.#peer);
    this.ended = thread.ended.then((reason) => this.#peer.close(t('{0} cannot be read: {1}.', name, reason)));
  }

  end(): void {
    this.#peer.close(t('the transcript was closed'));
    this.#thread.end();
  }
}
