import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import type { OpenProxy } from '../proxy/openProxy';
import type { LaneOutcome, LaneTape, RecordedLane } from '../proxy/session/laneSessions';
import { discardFailed } from '../recording/interrupted';
import type { Terminal } from '../terminal/terminal';
import { tapeOfLane } from './laneTape';
import { type KeptRecording, keptText, ProxyRecording, type ProxyRecordingPlan } from './proxyRecording';

/** The tapes of lanes, each with a recording of its own where the mode records. */
export class LaneRecordings {
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
    private readonly plan: ProxyRecordingPlan,
    private readonly note: Terminal['note'],
  ) {}

  /** Rejects with a `UserError` where the tape could not be written at the end. */
  async openLane(lane: string): Promise<LaneTape> {
    const tapePath = tapeOfLane(this.plan.tapePath, lane);
    // What a test asks after its end does not take the place of what it asked before.
    const mode = this.#saved.has(tapePath) ? 'auto' : this.plan.mode;
    if (mode !== 'record' && mode !== 'auto') return { tapePath };
    const plan = { ...this.plan, mode, tapePath };
    const recording = await ProxyRecording.begin(plan, this.note, (line) => this.#lines.push(line));
    this.#begun.set(tapePath, recording);
    return {
      tapePath,
      journal: recording.journal,
      end: (outcome, recorded) => this.#endLane({ tapePath, recording }, outcome, recorded),
    };
  }

  /** Saves what each lane recorded that has not ended. Rejects, after all of them, with a `UserError` of one, and tells the others. */
  async save({ lanes, recorder }: Pick<OpenProxy, 'lanes' | 'recorder'>): Promise<void> {
    for (const { tapePath, recorded, isEnded } of lanes)
      if (!isEnded) await this.#attempt(() => this.#begun.get(tapePath)?.save({ recorded, recorder }));
    this.#tell();
    const [first, ...others] = this.#failures;
    for (const { message } of others) this.note(`tapedeck: ${message}`);
    if (first !== undefined) throw first;
  }

  /** Leaves what was recorded to be recovered: it is not known which tests of a run failed, unless their lanes ended. */
  async keepFailed(): Promise<void> {
    for (const [tapePath, recording] of this.#begun) await this.#leave(tapePath, recording);
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
    { tapePath, recording }: { readonly tapePath: string; readonly recording: ProxyRecording },
    outcome: LaneOutcome,
    finished: RecordedLane,
  ): Promise<void> {
    this.#hasEnded = true;
    this.#begun.delete(tapePath);
    try {
      if (outcome !== 'passed') return await this.#leave(tapePath, recording);
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
    this.#kept.delete(tapePath);
    // An earlier attempt, also of another run: the tape has all that the test asks.
    await discardFailed(this.plan.root, fromRoot(this.plan.root, tapePath));
  }

  async #leave(tapePath: string, recording: ProxyRecording): Promise<void> {
    const kept = await recording.leaveFailed();
    if (kept !== undefined) this.#kept.set(tapePath, kept);
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
