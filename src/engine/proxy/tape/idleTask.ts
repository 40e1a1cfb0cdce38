/** After so long without anything else to do, more of it is done: less is the time between two bursts of requests. */
const QUIET_MS = 1_000;
/** So long at a time: a request that arrives meanwhile waits no longer. */
const SLICE_MS = 10;

/** Lets the rest of a task wait; undefined where it need not. */
export type Pause = () => Promise<void> | undefined;

/** A long task that is done bit by bit, as long as nothing else is to be done. */
export class IdleTask {
  readonly #run: (pause: Pause) => Promise<void>;
  #busyAt = 0;
  #sliceStart = 0;
  #running: Promise<void> | undefined;
  #isEnded = false;

  constructor(run: (pause: Pause) => Promise<void>) {
    this.#run = run;
  }

  /** Begins it in a while, or has it wait where it has begun: there is something else to do. */
  postpone(): void {
    this.#busyAt = performance.now();
    this.#running ??= this.#runLater();
  }

  /** Does all of it now. */
  finish(): Promise<void> {
    this.#running ??= this.#run(() => undefined);
    return this.#running;
  }

  /** No more of it is done. */
  end(): void {
    this.#isEnded = true;
  }

  async #runLater(): Promise<void> {
    await this.#quiet();
    await this.#run(() => this.#pause());
  }

  #pause(): Promise<void> | undefined {
    if (this.#isEnded) return new Promise(() => {});
    return performance.now() - this.#sliceStart < SLICE_MS ? undefined : this.#quiet();
  }

  async #quiet(): Promise<void> {
    // What has arrived is done first.
    await new Promise((resolve) => setImmediate(resolve));
    for (let left = this.#left(); left > 0; left = this.#left())
      await new Promise((resolve) => setTimeout(resolve, left).unref());
    this.#sliceStart = performance.now();
  }

  #left(): number {
    return this.#busyAt + QUIET_MS - performance.now();
  }
}
