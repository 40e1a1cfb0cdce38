/** Collects items by key and passes them on together, `delayMs` after the last one. */
export class Debouncer<T> {
  readonly #keys = new Map<string, T>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly delayMs: number,
    private readonly flush: (items: readonly T[]) => void,
  ) {}

  add(key: string, item: T): void {
    this.#keys.set(key, item);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const items = [...this.#keys.values()];
      this.#keys.clear();
      this.flush(items);
    }, this.delayMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
