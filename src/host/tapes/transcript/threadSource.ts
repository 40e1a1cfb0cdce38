import { type Caller, type Connected, connect } from '../../../contracts/contract';
import { reader } from '../../../contracts/reader/reader';
import type { Channel } from '../../../contracts/rpc/rpc';
import { t } from '../../../core/text/l10n';

/** A thread that reads a tape. */
interface ReaderThread {
  readonly channel: Channel;
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<string>;
  end(): void;
}

/** A tape that a thread reads. */
export class ThreadSource {
  readonly calls: Caller<typeof reader.calls>;
  /** Resolves when no more queries can be sent. */
  readonly ended: Promise<void>;
  readonly #reader: Connected<typeof reader>;
  readonly #thread: ReaderThread;

  /** @param name The name of the tape, for errors when the thread ends early. */
  constructor(thread: ReaderThread, name: string) {
    this.#thread = thread;
    this.#reader = connect(reader, thread.channel);
    this.calls = this.#reader.calls;
    this.ended = thread.ended.then((reason) => this.#reader.close(t('{0} cannot be read: {1}.', name, reason)));
  }

  end(): void {
    this.#reader.close(t('the transcript was closed'));
    this.#thread.end();
  }
}
