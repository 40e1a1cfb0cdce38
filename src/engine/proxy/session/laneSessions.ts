import { setTimeout as wait } from 'node:timers/promises';
import type { HiddenInteraction } from '../../recording/hidden';
import type { Journal } from '../../recording/journal';
import type { LazyRecorder } from '../../recording/openRecorder';
import type { ReplayTape } from '../tape/replayTape';
import type { LanePlan, PlannedLane } from './lanePlan';
import { type LaneResult, laneResult } from './laneResult';
import { type InteractionReport, Tally } from './report';
import type { ProxySession } from './session';

/** The tape of a lane, and where its recording is kept while it is made. */
export interface LaneTape extends PlannedLane {
  readonly journal?: Journal | undefined;
  /** Ends its recording; absent if there is none. Rejects with a `UserError` where the tape cannot be written. */
  end?(outcome: LaneOutcome, lane: RecordedLane): Promise<void>;
}

/** The tapes of lanes. */
export interface LaneTapes {
  /** Rejects with a `UserError` where a lane cannot be as it is planned. */
  plan(lane: string, plan: LanePlan): Promise<PlannedLane>;
  /** For its first request. Rejects with a `UserError` where the tape could not be written at the end. */
  open(lane: string, planned: PlannedLane): Promise<LaneTape>;
}

export interface RecordedLane {
  readonly recorded: readonly HiddenInteraction[];
  readonly recorder: LazyRecorder;
}

/** How the test of a lane ended. */
export const LANE_OUTCOMES = ['passed', 'failed', 'skipped'] as const;
export type LaneOutcome = (typeof LANE_OUTCOMES)[number];

/** What one lane, such as a test, did with its tape. */
export interface ProxyLane {
  readonly lane: string;
  readonly tapePath: string;
  /** Its recording has ended: it is on its tape, or kept. */
  readonly isEnded: boolean;
  readonly onTape: number;
  /** Empty once it has ended. */
  readonly recorded: readonly HiddenInteraction[];
  /** The indexes of the recordings that were not used. */
  unused(): Promise<readonly number[]>;
}

/** A session with a tape of its own. */
interface LaneSession {
  readonly tape: ReplayTape | undefined;
  readonly session: ProxySession;
}

type OpenedLane = LaneTape & LaneSession;

/** From its plan, or its first request, to its end. */
interface Lane {
  readonly name: string;
  readonly planned: Promise<PlannedLane>;
  readonly tally: Tally;
  opening?: Promise<OpenedLane>;
  /** Once it is open. */
  opened?: OpenedLane;
}

/** How long the upstreams of a test that has ended may take for their responses. */
const PATIENCE_MS = 5_000;

/** A session for each lane, with a tape of its own, which is opened with the lane's first request. */
export class LaneSessions {
  readonly #lanes = new Map<string, Lane>();
  readonly #ended: ProxyLane[] = [];

  constructor(
    private readonly tapes: LaneTapes,
    private readonly start: (own: LaneTape, report: (report: InteractionReport) => void) => Promise<LaneSession>,
  ) {}

  /**
   * Begins a lane as a test runner wants it: one that is there already ends, as after a failure. Rejects with a `UserError` where it
   * cannot be so.
   */
  async plan(name: string, plan: LanePlan, recorder: LazyRecorder): Promise<PlannedLane> {
    const planned = await this.tapes.plan(name, plan);
    if (this.#lanes.has(name)) await this.end(name, 'failed', recorder);
    this.#begin(name, Promise.resolve(planned));
    return planned;
  }

  /** Rejects with a `UserError`, or a `ProviderError`, where the tape cannot be read or written. */
  async sessionOf(name = NO_LANE): Promise<ProxySession> {
    const lane = this.#lanes.get(name) ?? this.#begin(name, this.tapes.plan(name, {}));
    lane.opening ??= this.#open(lane);
    return (await lane.opening).session;
  }

  /** Counts a request that was refused because the tape of its lane cannot be opened. */
  refused(name = NO_LANE, report: InteractionReport): void {
    this.#lanes.get(name)?.tally.add(report);
  }

  get lanes(): readonly ProxyLane[] {
    return [...this.#ended, ...[...this.#lanes.values()].flatMap((lane) => proxyLane(lane) ?? [])];
  }

  /** What a lane did until now. */
  async result(name: string): Promise<LaneResult> {
    const { tally, opened } = this.#lanes.get(name) ?? {};
    return laneResult(tally, opened);
  }

  /** Ends a lane. What is asked in it after that begins another one. */
  async end(name: string, outcome: LaneOutcome, recorder: LazyRecorder): Promise<LaneResult> {
    const lane = this.#lanes.get(name);
    this.#lanes.delete(name);
    // Why a tape could not be opened is told by each request.
    const opened = await lane?.opening?.catch(() => undefined);
    if (lane === undefined || opened === undefined) return laneResult(lane?.tally, undefined);
    const { session, tape } = opened;
    try {
      await Promise.race([session.drain(), wait(PATIENCE_MS, undefined, { ref: false })]);
      const result = await laneResult(lane.tally, opened);
      this.#ended.push(endedLane(lane.name, opened, result));
      // A test that asked for what its tape does not have has not passed, whatever it made of that.
      const judged = result.failures.length > 0 ? 'failed' : outcome;
      await opened.end?.(judged, { recorded: session.recorded, recorder });
      return result;
    } finally {
      tape?.close();
    }
  }

  async drain(): Promise<void> {
    await Promise.all(this.#opened().map(({ session }) => session.drain()));
  }

  close(): void {
    for (const { tape } of this.#opened()) tape?.close();
  }

  #opened(): readonly OpenedLane[] {
    return [...this.#lanes.values()].flatMap(({ opened }) => opened ?? []);
  }

  #begin(name: string, planned: Promise<PlannedLane>): Lane {
    const lane: Lane = { name, planned, tally: new Tally() };
    this.#lanes.set(name, lane);
    return lane;
  }

  async #open(lane: Lane): Promise<OpenedLane> {
    const own = await this.tapes.open(lane.name, await lane.planned);
    lane.opened = { ...own, ...(await this.start(own, (report) => lane.tally.add(report))) };
    return lane.opened;
  }
}

function proxyLane({ name, opened }: Lane): ProxyLane | undefined {
  if (opened === undefined) return undefined;
  const { tapePath, tape, session } = opened;
  return {
    lane: name,
    tapePath,
    isEnded: false,
    onTape: tape?.count ?? 0,
    recorded: session.recorded,
    unused: async () => (await tape?.unused()) ?? [],
  };
}

/** What stays of a lane: a server whose tests are many would hold all of their tapes. */
function endedLane(lane: string, { tapePath, tape }: OpenedLane, { unused }: LaneResult): ProxyLane {
  const indexes = unused.map((number) => number - 1);
  return { lane, tapePath, isEnded: true, onTape: tape?.count ?? 0, recorded: [], unused: async () => indexes };
}

/** Of requests that name no lane. */
const NO_LANE = 'main';
