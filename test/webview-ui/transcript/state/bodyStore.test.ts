import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { InteractionBody } from '../../../../src/core/transcript/transcript';
import { BodyStore } from '../../../../webview-ui/transcript/state/bodyStore';

const body = (index: number, text: string): InteractionBody => ({
  index,
  entries: [{ interaction: index, origin: 'response', role: 'assistant', text, toolCalls: [] }],
  changes: [],
  details: [],
});

/** A store over a host that responds with `text`, and the requests that the host got. */
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

let now = 0;

/** Lets the page stay where it is for as long as is needed, and the host respond. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    now += 10;
    mock.timers.tick(10);
    await Promise.resolve();
  }
}

describe('the interactions on the page', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  it('are requested together, once, and delivered to every watcher', async () => {
    const { store, asked, textOf } = rig();
    const delivered: number[] = [];
    for (const index of [1, 2, 2]) store.watch(index, () => delivered.push(index));
    await quiet();
    assert.deepEqual(asked, [[1, 2]]);
    assert.deepEqual(delivered, [1, 2, 2]);
    assert.equal(textOf(2), 'a');
  });

  it('are not requested while they are scrolled past, but when the page stays at them', async () => {
    const { store, asked, textOf } = rig();
    const nothing = (): void => undefined;
    store.watch(0, nothing)();
    for (let index = 1; index < 50; index += 1) store.watch(index, nothing)();
    store.watch(50, nothing);
    await quiet();
    await quiet();
    assert.deepEqual(asked.flat(), [0, 50]);
    assert.equal(textOf(50), 'a');
    store.watch(51, nothing);
    await Promise.resolve();
    assert.deepEqual(asked.flat(), [0, 50, 51]);
  });

  it('stay until their new version arrives, as the same objects while nothing changed', async () => {
    const { store, asked, host, textOf } = rig();
    let delivered = 0;
    store.watch(1, () => {
      delivered += 1;
    });
    await quiet();
    store.refresh();
    await quiet();
    assert.equal(asked.length, 2);
    const before = delivered;
    host.text = 'b';
    store.refresh([1, 9]);
    assert.equal(textOf(1), 'a');
    await quiet();
    assert.deepEqual([textOf(1), delivered, asked.length], ['b', before + 1, 3]);
  });

  it('are kept for a while after they leave the page, until many others have left it', async () => {
    const { store, asked, host, textOf } = rig();
    host.text = 'a'.repeat(100_000);
    const leaves = Array.from({ length: 50 }, (_, index) => store.watch(index, () => undefined));
    await quiet();
    await quiet();
    for (const leave of leaves) leave();
    assert.deepEqual([textOf(0), textOf(49)?.length], [undefined, 100_000]);
    const leave = store.watch(49, () => undefined);
    await quiet();
    leave();
    assert.equal(asked.length, 1);
    store.refresh([49]);
    assert.equal(textOf(49), undefined);
    store.refresh();
    assert.equal(textOf(48), undefined);
  });
});
