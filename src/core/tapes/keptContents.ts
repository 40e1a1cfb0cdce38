/** What can forget what it has read, and read it again. */
export interface Forgetful {
  forget(): void;
}

interface Kept {
  /** The tape it belongs to may be closed long before its turn comes. */
  readonly what: WeakRef<Forgetful>;
  readonly size: number;
}

/** Of something without a size, such as an interaction of a zip. */
const LEAST = 1024;

/**
 * Lets those that were read last keep what they have read, as much as fits in; the others forget. (To hold contents by a
 * WeakRef would keep every one until the engine's next full collection: reading a tape of 100 MB then takes 300.)
 */
export class KeptContents {
  readonly #room: number;
  readonly #kept: Kept[] = [];
  #oldest = 0;
  #size = 0;

  /** @param room In the unit of the sizes. */
  constructor(room: number) {
    this.#room = room;
  }

  add(what: Forgetful, size: number): void {
    const kept = { what: new WeakRef(what), size: Math.max(size, LEAST) };
    this.#kept.push(kept);
    this.#size += kept.size;
    while (this.#size > this.#room && this.#oldest < this.#kept.length - 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#kept[this.#oldest];
    this.#oldest += 1;
    if (oldest === undefined) return;
    this.#size -= oldest.size;
    oldest.what.deref()?.forget();
    if (this.#oldest * 2 < this.#kept.length) return;
    this.#kept.splice(0, this.#oldest);
    this.#oldest = 0;
  }
}
