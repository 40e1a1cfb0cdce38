import type { HiddenInteraction } from '../../recording/hidden';
import type { Journal } from '../../recording/journal';
import type { ReplayTape } from '../tape/replayTape';
import type { ProxySession } from './session';

/** The tape of a lane, and where its recording is kept while it is made. */
export interface LaneTape {
  readonly tapePath: string;
  readonly journal?: Journal | undefined;
}

/** What one lane, such as a test, did with its tape. */
export interface ProxyLane {
  readonly tapePath: string;
  readonly onTape: number;
  readonly recorded: readonly HiddenInteraction[];
  /** The indexes of the recordings that were not used. */
  unused(): readonly number[];
}

interface OpenedLane extends LaneTape {
  readonly tape: ReplayTape | undefined;
  readonly session: ProxySession;
}

/** A session for each lane, with a tape of its own, which is opened with the lane's first request. */
export class LaneSessions {
  readonly #sessions = new Map<string, Promise<OpenedLane>>();
  readonly #opened: OpenedLane[] = [];

  constructor(
    private readonly open: (lane: string) => Promise<LaneTape>,
    private readonly start: (own: LaneTape) => Promise<Pick<OpenedLane, 'tape' | 'session'>>,
  ) {}

  /** Rejects with a `UserError`, or a `ProviderError`, where the tape cannot be read or written. */
  async sessionOf(lane: string | undefined): Promise<ProxySession> {
    const name = lane ?? NO_LANE;
    const known = this.#sessions.get(name) ?? this.#openOne(name);
    this.#sessions.set(name, known);
    return (await known).session;
  }

  get lanes(): readonly ProxyLane[] {
    return this.#opened.map(({ tapePath, tape, session }) => ({
      tapePath,
      onTape: tape?.count ?? 0,
      recorded: session.recorded,
      unused: () => tape?.unused() ?? [],
    }));
  }

  async drain(): Promise<void> {
    await Promise.all(this.#opened.map(({ session }) => session.drain()));
  }

  close(): void {
    for (const { tape } of this.#opened) tape?.close();
  }

  async #openOne(name: string): Promise<OpenedLane> {
    const own = await this.open(name);
    const lane = { ...own, ...(await this.start(own)) };
    this.#opened.push(lane);
    return lane;
  }
}

/** Of requests that name no lane. */
const NO_LANE = 'main';
