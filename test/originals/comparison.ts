import assert from 'node:assert/strict';

/** Characters of a difference that are printed. */
const SHOWN = 1500;

/** Counts what an original and Tapedeck do with the same input: the same, otherwise on purpose, or otherwise. */
export class Comparison {
  #same = 0;
  readonly #deliberate = new Map<string, number>();
  readonly #different: string[] = [];

  constructor(private readonly what: string) {}

  /** Compares two results. Where they differ, `reason` says why that is on purpose; undefined where it is not. */
  add(item: string, theirs: unknown, ours: unknown, reason?: string): void {
    const [left, right] = [theirs, ours].map((value) => JSON.stringify(value));
    if (left === right) this.#same += 1;
    else if (reason !== undefined) this.#deliberate.set(reason, (this.#deliberate.get(reason) ?? 0) + 1);
    else
      this.#different.push(
        `${item.slice(0, SHOWN)}\n    original: ${left?.slice(0, SHOWN)}\n    Tapedeck: ${right?.slice(0, SHOWN)}`,
      );
  }

  /** Prints the counts. Fails where something differs without a reason, or nothing was compared. */
  end(): void {
    const deliberate = [...this.#deliberate].map(([reason, count]) => `      ${count} ${reason}`);
    const total = [...this.#deliberate.values()].reduce((sum, count) => sum + count, 0);
    const head = `      ${this.what}: ${this.#same} the same, ${total} otherwise on purpose, ${this.#different.length} different`;
    console.log([head, ...deliberate.map((line) => `  ${line}`)].join('\n'));
    assert.deepEqual(this.#different.slice(0, 10), []);
    assert.ok(this.#same > 0, 'nothing was compared');
  }
}
