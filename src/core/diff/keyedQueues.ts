/** Items by key, each of which is taken once, the first of a key first. */
export class KeyedQueues<K, T> {
  readonly #queues = new Map<K, T[]>();

  constructor(entries: Iterable<readonly [K, T]>) {
    for (const [key, item] of entries) {
      const queue = this.#queues.get(key);
      if (queue === undefined) this.#queues.set(key, [item]);
      else queue.push(item);
    }
  }

  /** Removes the first item of a key; undefined when none is left. */
  take(key: K): T | undefined {
    return this.#queues.get(key)?.shift();
  }

  /** The items that have not been taken, by their keys. */
  rest(): readonly T[] {
    return [...this.#queues.values()].flat();
  }
}
