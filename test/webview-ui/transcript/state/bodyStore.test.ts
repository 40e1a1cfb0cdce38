import * as assert from 'node:assert/strict';
import type { InteractionBody } from '../../../../src/core/transcript/transcript';
import { BodyStore } from '../../../../webview-ui/transcript/state/bodyStore';

const body = (index: number, text: string): InteractionBody => ({
  index,
  entries: [{ interaction: index, origin: 'response', role: 'assistant', text, toolCalls: [] }],
  changes: [],
  details: [],
});

/** A store over a host that answers with `text`, and what it was asked for. */
function rig() {
  const asked: (readonly number[])[] = [];
  const host = { text: 'a' };
  const store = new BodyStore(
    async (interactions) => {
      asked.push(interactions);
      return interactions.map((index) => body(index, host.text));
    },
    (error) => assert.fail(String(error)),
  );
  const textOf = (index: number): string | undefined => store.get(index)?.entries[0]?.text;
  return { store, asked, host, textOf };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('the interactions on the page', () => {
  it('are asked for together, once, and told to whoever shows them', async () => {
    const { store, asked, textOf } = rig();
    const told: number[] = [];
    for (const index of [1, 2, 2]) store.watch(index, () => told.push(index));
    await settled();
    assert.deepEqual(asked, [[1, 2]]);
    assert.deepEqual(told, [1, 2, 2]);
    assert.equal(textOf(2), 'a');
  });

  it('are not asked for while they are only passed, and are when somebody stays', async () => {
    const { store, asked, textOf } = rig();
    const nothing = (): void => undefined;
    store.watch(0, nothing)();
    for (let index = 1; index < 50; index += 1) store.watch(index, nothing)();
    store.watch(50, nothing);
    await settled();
    await settled();
    assert.deepEqual(asked.flat(), [0, 50]);
    assert.equal(textOf(50), 'a');
    store.watch(51, nothing);
    await Promise.resolve();
    assert.deepEqual(asked.flat(), [0, 50, 51]);
  });

  it('stay until what they became is there, and the same objects while nothing changed', async () => {
    const { store, asked, host, textOf } = rig();
    let told = 0;
    store.watch(1, () => {
      told += 1;
    });
    await settled();
    store.refresh();
    await settled();
    assert.equal(asked.length, 2);
    const before = told;
    host.text = 'b';
    store.refresh([1, 9]);
    assert.equal(textOf(1), 'a');
    await settled();
    assert.deepEqual([textOf(1), told, asked.length], ['b', before + 1, 3]);
  });

  it('are kept for a while when nobody looks at them, and let go when there is much that was looked at since', async () => {
    const { store, asked, host, textOf } = rig();
    host.text = 'a'.repeat(100_000);
    const leaves = Array.from({ length: 50 }, (_, index) => store.watch(index, () => undefined));
    await settled();
    await settled();
    for (const leave of leaves) leave();
    assert.deepEqual([textOf(0), textOf(49)?.length], [undefined, 100_000]);
    const leave = store.watch(49, () => undefined);
    await settled();
    leave();
    assert.equal(asked.length, 1);
    store.refresh([49]);
    assert.equal(textOf(49), undefined);
    store.refresh();
    assert.equal(textOf(48), undefined);
  });
});
