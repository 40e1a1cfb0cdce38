import { type JoinedRules, joinRules, replayRules } from '../../core/cases/toml/replaySpec';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot } from '../files/projectPaths';
import type { OpenProxy } from '../proxy/openProxy';
import type { LaneMode, LanePlan, PlannedLane } from '../proxy/session/lanePlan';
import type { LaneOutcome, LaneTape, LaneTapes, RecordedLane } from '../proxy/session/laneSessions';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import { discardFailed } from '../recording/interrupted';
import type { Terminal } from '../terminal/terminal';
import { tapeOfLane } from './laneTape';
import { type KeptRecording, keptText, ProxyRecording, type ProxyRecordingPlan } from './proxyRecording';

interface BegunRecording {
  readonly lane: string;
  readonly tapePath: string;
  readonly recording: ProxyRecording;
}

export interface LaneRecordingsPlan extends ProxyRecordingPlan {
  /** Of lanes that have no mode of their own. */
  readonly laneMode: LaneMode;
  /** Of all lanes, after their own. */
  readonly rules: JoinedRules;
  /** Where the tapes of lanes that name one are. */
  readonly cwd: string;
}

/** The tapes of lanes, each with a recording of its own where the mode records. */
export class LaneRecordings implements LaneTapes {
  /** By their lanes. */
  readonly #begun = new Map<string, ProxyRecording>();
  /** The tapes that this run has written. */
  readonly #saved = new Set<string>();
  /** Of tests that failed, by their tapes. */
  readonly #kept = new Map<string, KeptRecording>();
  /** Told at the end: before, the terminal is the test runner's. */
  readonly #lines: string[] = [];
  #hasEnded = false;
  /** Why tapes could not be written. */
  readonly #failures: UserError[] = [];

  /** The path of the plan's tape has `{lane}` in it. */
  constructor(
    private readonly common: LaneRecordingsPlan,
    private readonly note: Terminal['note'],
  ) {}

  async plan(lane: string, { tape, mode: wanted, test, rerecord, ...own }: LanePlan): Promise<PlannedLane> {
    const { cwd, rules, tapePath: pattern, laneMode } = this.common;
    const tapePath = tape === undefined ? tapeOfLane(pattern, lane) : pathOfUser(cwd, tape);
    const mode = await this.#modeOf(tapePath, wanted ?? laneMode);
    return {
      tapePath,
      mode,
      rules: joinRules([replayRules(own), rules]),
      ...(test !== undefined && { test, masksIn: 'test' }),
      rerecord,
    };
  }

  async open(lane: string, planned: PlannedLane): Promise<LaneTape> {
    const { tapePath, mode, test } = planned;
    if (mode !== 'record' && mode !== 'auto') return planned;
    const plan = { ...this.common, mode, tapePath, test };
    const recording = await ProxyRecording.begin(plan, this.note, (line) => this.#lines.push(line));
    this.#begun.set(lane, recording);
    return {
      ...planned,
      journal: recording.journal,
      end: (outcome, recorded) => this.#endLane({ lane, tapePath, recording }, outcome, recorded),
    };
  }

  /** Rejects with a `UserError` where a lane wants to record, and its server only replays. */
  async #modeOf(tapePath: string, wanted: LaneMode): Promise<ProxyMode> {
    const { mode } = this.common;
    if (mode === 'passthrough') return mode;
    const asked = wanted === 'once' && (await fileStatus(tapePath)) === undefined ? 'rewrite' : wanted;
    if (asked === 'none' || (mode === 'replay' && wanted === 'once')) return 'replay';
    if (mode === 'replay') throw new UserError(() => t('this server only replays, so no lane can record: {0}', wanted));
    // What a test asks after its end, or of a tape that it shares, does not take the place of what was asked before.
    if (asked === 'new' || this.#saved.has(tapePath)) return 'auto';
    return asked === 'rewrite' ? 'record' : 'replay';
  }

  /** Saves what each lane recorded that has not ended. Rejects, after all of them, with a `UserError` of one, and tells the others. */
  async save({ lanes, recorder }: Pick<OpenProxy, 'lanes' | 'recorder'>): Promise<void> {
    for (const { lane, recorded, isEnded } of lanes)
      if (!isEnded) await this.#attempt(() => this.#begun.get(lane)?.save({ recorded, recorder }));
    this.#tell();
    const [first, ...others] = this.#failures;
    for (const { message } of others) this.note(`tapedeck: ${message}`);
    if (first !== undefined) throw first;
  }

  /** Leaves what was recorded to be recovered: it is not known which tests of a run failed, unless their lanes ended. */
  async keepFailed(): Promise<void> {
    for (const recording of this.#begun.values()) await this.#leave(recording);
    this.#tell();
    if (!this.#hasEnded && this.#kept.size > 0)
      this.note('  To save the tapes of tests that pass, end their lanes: see tapedeck exec --help');
    for (const { message } of this.#failures) this.note(`tapedeck: ${message}`);
  }

  /** Leaves what was recorded to be recovered. */
  keep(): void {
    for (const recording of this.#begun.values()) recording.keep(recording.journal.kept);
    this.#tell();
  }

  async end(): Promise<void> {
    for (const recording of this.#begun.values()) await recording.end();
  }

  async #endLane(
    { lane, tapePath, recording }: BegunRecording,
    outcome: LaneOutcome,
    finished: RecordedLane,
  ): Promise<void> {
    this.#hasEnded = true;
    this.#begun.delete(lane);
    try {
      if (outcome !== 'passed') return await this.#leave(recording);
      if (finished.recorded.length === 0) return;
      const failure = await this.#attempt(() => this.#savePassed(tapePath, recording, finished));
      if (failure !== undefined) throw failure;
    } finally {
      await recording.end();
    }
  }

  async #savePassed(tapePath: string, recording: ProxyRecording, finished: RecordedLane): Promise<void> {
    await recording.save(finished);
    this.#saved.add(tapePath);
    this.#kept.delete(fromRoot(this.common.root, tapePath));
    // An earlier attempt, also of another run: the tape has all that the test asks.
    await discardFailed(this.common.root, fromRoot(this.common.root, tapePath));
  }

  async #leave(recording: ProxyRecording): Promise<void> {
    const kept = await recording.leaveFailed();
    if (kept !== undefined) this.#kept.set(kept.tape, kept);
  }

  /** The reason why a tape could not be written, which is kept for the end of the run. */
  async #attempt(save: () => Promise<void> | undefined): Promise<UserError | undefined> {
    try {
      await save();
      return undefined;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#failures.push(error);
      return error;
    }
  }

  #tell(): void {
    for (const line of this.#lines.splice(0)) this.note(line);
    const [kept, ...others] = this.#kept.values();
    if (kept === undefined) return;
    if (others.length === 0)
      this.note(
        `tapedeck: a tape is unchanged: its test, or the run, failed. ${keptText(kept.tape, kept.interactions)}`,
      );
    else
      this.note(`tapedeck: ${this.#kept.size} tapes are unchanged: their tests, or the run, failed. What they recorded is kept.
  To list it: tapedeck recover
  To save one as its tape: tapedeck recover --save TAPE
  To discard it: tapedeck recover --discard`);
  }
}
