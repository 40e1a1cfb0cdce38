import { setTimeout as wait } from 'node:timers/promises';
import type { HiddenInteraction } from '../../recording/hidden';
import type { Journal } from '../../recording/journal';
import type { LazyRecorder } from '../../recording/openRecorder';
import type { ReplayTape } from '../tape/replayTape';
import type { ProxySession } from './session';

/** The tape of a lane, and where its recording is kept while it is made. */
export interface LaneTape {
  readonly tapePath: string;
  readonly journal?: Journal | undefined;
  /** Ends its recording; absent if there is none. Rejects with a `UserError` where the tape cannot be written. */
  end?(outcome: LaneOutcome, lane: RecordedLane): Promise<void>;
}

export interface RecordedLane {
  readonly recorded: readonly HiddenInteraction[];
  readonly recorder: LazyRecorder;
}

/** How the test of a lane ended. */
export const LANE_OUTCOMES = ['passed', 'failed', 'skipped'] as const;
export type LaneOutcome = (typeof LANE_OUTCOMES)[number];

/** What a test runner is told of a lane that it ends. */
export interface EndedLane {
  readonly requests: number;
  readonly recorded: number;
}

/** What one lane, such as a test, did with its tape. */
export interface ProxyLane {
  readonly tapePath: string;
  /** Its recording has ended: it is on its tape, or kept. */
  readonly isEnded: boolean;
  readonly onTape: number;
  readonly recorded: readonly HiddenInteraction[];
  /** The indexes of the recordings that were not used. */
  unused(): Promise<readonly number[]>;
}

interface OpenedLane extends LaneTape {
  readonly tape: ReplayTape | undefined;
  readonly session: ProxySession;
  isEnded: boolean;
}

/** How long the upstreams of a test that has ended may take for their responses. */
const PATIENCE_MS = 5_000;

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
    return this.#opened.map(({ tapePath, tape, session, isEnded }) => ({
      tapePath,
      isEnded,
      onTape: tape?.count ?? 0,
      recorded: session.recorded,
      unused: async () => (await tape?.unused()) ?? [],
    }));
  }

  /** Ends the recording of a lane. What is asked in it after that begins another one. */
  async end(lane: string, outcome: LaneOutcome, recorder: LazyRecorder): Promise<EndedLane> {
    // Why a tape could not be opened is told by each request.
    const opened = await this.#sessions.get(lane)?.catch(() => undefined);
    if (opened === undefined) return { requests: 0, recorded: 0 };
    const { session, end } = opened;
    if (end !== undefined) {
      this.#sessions.delete(lane);
      await Promise.race([session.drain(), wait(PATIENCE_MS, undefined, { ref: false })]);
      opened.isEnded = true;
      await end(outcome, { recorded: session.recorded, recorder });
    }
    return { requests: session.requests, recorded: session.recorded.length };
  }

  async drain(): Promise<void> {
    await Promise.all(this.#opened.map(({ session }) => session.drain()));
  }

  close(): void {
    for (const { tape } of this.#opened) tape?.close();
  }

  async #openOne(name: string): Promise<OpenedLane> {
    const own = await this.open(name);
    const lane = { ...own, ...(await this.start(own)), isEnded: false };
    this.#opened.push(lane);
    return lane;
  }
}

/** Of requests that name no lane. */
const NO_LANE = 'main';
