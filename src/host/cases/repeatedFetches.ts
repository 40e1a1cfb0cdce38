/**
 * Notices where the children of a row are asked for while they are being fetched. VS Code drops what the first call finds: where that was
 * the window's and the second one reveals a row, the window shows a folder without its rows until it is told to fetch them again.
 */
export class RepeatedFetches<Node> {
  readonly #running = new Map<unknown, { isRepeated: boolean }>();
  readonly #items = new Set<Promise<unknown>>();

  /** @param repeated Called when the fetches of a row are over; undefined stands for the top. */
  constructor(private readonly repeated: (node: Node | undefined) => void) {}

  /** @param version Of the rows: those of another version are fetched anyway. */
  async children(node: Node | undefined, version: unknown, find: () => Promise<Node[]>): Promise<Node[]> {
    const key = node ?? version;
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.isRepeated = true;
      return find();
    }
    const first = { isRepeated: false };
    this.#running.set(key, first);
    try {
      return await find();
    } finally {
      void this.#end(key, node, first);
    }
  }

  item<Item>(fetch: Promise<Item>): Promise<Item> {
    this.#items.add(fetch);
    const over = (): void => void this.#items.delete(fetch);
    fetch.then(over, over);
    return fetch;
  }

  /** A fetch is over with the items of the children, which VS Code asks for next. */
  async #end(key: unknown, node: Node | undefined, first: { readonly isRepeated: boolean }): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.allSettled(this.#items);
    this.#running.delete(key);
    if (first.isRepeated) this.repeated(node);
  }
}
