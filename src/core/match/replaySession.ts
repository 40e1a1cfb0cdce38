/** The recordings that one run has been served. */
export class ReplaySession {
  readonly #served: Uint8Array;
  /** For each queue, the number of served recordings at its start. */
  readonly #heads = new Map<readonly number[], number>();
  #next = 0;

  constructor(recordings: number) {
    this.#served = new Uint8Array(recordings);
  }

  isServed(recording: number): boolean {
    return this.#served[recording] === 1;
  }

  serve(recording: number): void {
    this.#served[recording] = 1;
  }

  /** The first recording of a queue that has not been served. */
  first(queue: readonly number[]): number | undefined {
    let head = this.#heads.get(queue) ?? 0;
    while (head < queue.length && this.isServed(queue[head] ?? 0)) head += 1;
    this.#heads.set(queue, head);
    return queue[head];
  }

  /** The first recording of the tape that has not been served. */
  next(): number | undefined {
    while (this.#next < this.#served.length && this.isServed(this.#next)) this.#next += 1;
    return this.#next < this.#served.length ? this.#next : undefined;
  }
}
