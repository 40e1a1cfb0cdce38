import type { ReaderApi } from '../../../protocol/reader';
import { type Api, type Channel, RpcPeer } from '../../../protocol/rpc';
import type { TextPlace, TranscriptGrowth, TranscriptQuery } from '../../../protocol/transcript';
import type { TranscriptSource } from '../../../reader/transcriptSource';

/** A thread that reads a tape. */
export interface ReaderThread {
  readonly channel: Channel;
  /** Settles when the thread is gone, with how it went, in words. */
  readonly ended: Promise<string>;
  end(): void;
}

type Nothing = Record<never, never> & Api;

/** A tape that a thread reads. */
export class ThreadSource implements TranscriptSource {
  readonly #peer: RpcPeer<Nothing, ReaderApi>;
  readonly #thread: ReaderThread;

  /** Settles when nothing can be asked any more. */
  readonly ended: Promise<void>;

  /** @param name Of the tape, for what is said when the thread ends before its time. */
  constructor(thread: ReaderThread, name: string) {
    this.#thread = thread;
    this.#peer = new RpcPeer<Nothing, ReaderApi>(thread.channel, {}, {});
    this.ended = thread.ended.then((reason) => this.#peer.close(`${name} cannot be read: ${reason}.`));
  }

  state(): ReturnType<TranscriptSource['state']> {
    return this.#peer.call('state', undefined);
  }

  async grow(): Promise<TranscriptGrowth | undefined> {
    return (await this.#peer.call('grow', undefined)) ?? undefined;
  }

  bodies(interactions: readonly number[]): ReturnType<TranscriptSource['bodies']> {
    return this.#peer.call('bodies', { interactions });
  }

  more(place: TextPlace): Promise<string> {
    return this.#peer.call('more', place);
  }

  search(query: TranscriptQuery): ReturnType<TranscriptSource['search']> {
    return this.#peer.call('search', query);
  }

  playback(interaction: number): ReturnType<TranscriptSource['playback']> {
    return this.#peer.call('playback', { interaction });
  }

  span(interaction: number): ReturnType<TranscriptSource['span']> {
    return this.#peer.call('span', { interaction });
  }

  raw(interaction: number): Promise<string> {
    return this.#peer.call('raw', { interaction });
  }

  async readOnlyReason(): Promise<string | undefined> {
    return (await this.#peer.call('readOnlyReason', undefined)) ?? undefined;
  }

  end(): void {
    this.#peer.close('the transcript was closed');
    this.#thread.end();
  }
}
