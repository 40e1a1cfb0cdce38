import type { Chaos } from '../../core/flakestorm/chaos';
import { type RandomSource, seededRandom } from '../../core/flakestorm/faults';
import { pause } from '../process/pause';

/** Waits as faults and recorded latencies want it, or only counts the time: a replay is to be quick and give the same numbers. */
export class ChaosClock {
  #waitedMs = 0;

  constructor(private readonly waits: boolean) {}

  /** Milliseconds that were counted and not waited. */
  get countedMs(): number {
    return this.waits ? 0 : this.#waitedMs;
  }

  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds <= 0) return;
    this.#waitedMs += milliseconds;
    if (this.waits) await pause(milliseconds, signal);
  }
}

/** Chaos while it happens: calls are counted over all that is asked under the same trouble, as in Flakestorm. */
export class ChaosState {
  readonly random: RandomSource;
  /** What struck, in words. */
  readonly struck: string[] = [];
  #tools = 0;
  #answers = 0;

  constructor(
    readonly chaos: Chaos,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  /** The number of the next call of a tool, from 1. */
  nextTool(): number {
    this.#tools += 1;
    return this.#tools;
  }

  /** The number of the next answer of the model, from 1. */
  nextAnswer(): number {
    this.#answers += 1;
    return this.#answers;
  }
}
