import type { OpenProxy } from '../proxy/openProxy';
import type { LaneTape } from '../proxy/session/laneSessions';
import type { Terminal } from '../terminal/terminal';
import { tapeOfLane } from './laneTape';
import { ProxyRecording, type ProxyRecordingPlan } from './proxyRecording';

/** The tapes of lanes, each with a recording of its own where the mode records. */
export class LaneRecordings {
  readonly #begun = new Map<string, ProxyRecording>();

  /** The path of the plan's tape has `{lane}` in it. */
  constructor(
    private readonly plan: ProxyRecordingPlan,
    private readonly note: Terminal['note'],
  ) {}

  /** Rejects with a `UserError` where the tape could not be written at the end. */
  async openLane(lane: string): Promise<LaneTape> {
    const { mode, tapePath: pattern } = this.plan;
    const tapePath = tapeOfLane(pattern, lane);
    if (mode !== 'record' && mode !== 'auto') return { tapePath };
    const recording = await ProxyRecording.begin({ ...this.plan, tapePath }, this.note);
    this.#begun.set(tapePath, recording);
    return { tapePath, journal: recording.journal };
  }

  /** Saves what each lane recorded. */
  async save({ lanes, recorder }: Pick<OpenProxy, 'lanes' | 'recorder'>): Promise<void> {
    for (const { tapePath, recorded } of lanes) await this.#begun.get(tapePath)?.save({ recorded, recorder });
  }

  /** Leaves what was recorded to be recovered. */
  keep(): void {
    for (const recording of this.#begun.values()) recording.keep(recording.journal.kept);
  }

  async end(): Promise<void> {
    for (const recording of this.#begun.values()) await recording.end();
  }
}
