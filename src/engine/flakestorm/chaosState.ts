import type { Chaos } from '../../core/flakestorm/chaos';
import { type RandomSource, seededRandom } from '../../core/flakestorm/faults';
import { pause } from '../process/pause';

/** Waits for the delays of faults and recorded latencies, or in a replay only counts them: it is fast and reproducible. */
export class ChaosClock {
  #waitedMs = 0;

  constructor(private readonly waits: boolean) {}

  /** Milliseconds that were counted without waiting. */
  get countedMs(): number {
    return this.waits ? 0 : this.#waitedMs;
  }

  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds <= 0) return;
    this.#waitedMs += milliseconds;
    if (this.waits) await pause(milliseconds, signal);
  }
}

/** Faults that altered a text. They stand in artifacts, which are compared with baselines: the words stay as they are. */
export const ALTERED = { model: 'the response of the model', agent: 'the response of the agent' } as const;

/** The state of chaos during a run: it counts the calls of all prompts that are sent under it, as in Flakestorm. */
export class ChaosState {
  readonly random: RandomSource;
  /** The injected faults, in words. */
  readonly faults: string[] = [];
  #tools = 0;
  #responses = 0;

  constructor(
    readonly chaos: Chaos,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  /** Counts calls that Flakestorm makes besides those for the prompts: faults with `after_calls` begin accordingly. */
  count(calls: number): void {
    this.#tools += calls;
    this.#responses += calls;
  }

  /** The number of the next call of a tool, from 1. */
  nextTool(): number {
    this.#tools += 1;
    return this.#tools;
  }

  /** The number of the next response of the model, from 1. */
  nextResponse(): number {
    this.#responses += 1;
    return this.#responses;
  }
}
