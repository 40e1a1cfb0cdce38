import assert from 'node:assert/strict';
import { call, connect, contract, returns, type Served, serve } from '../../src/contracts/contract';
import { count, list, nothing, nullable, shape, text } from '../../src/core/schema/schema';
import { memoryChannel, quiet } from '../harness/memoryChannel';

const shop = contract({
  calls: {
    order: call(shape({ item: text(), count: count('', 1) }), returns<string>()),
    close: call(nothing, returns<void>()),
  },
  callbacks: { confirm: call(text(), returns<boolean>()) },
  state: shape({ orders: list(text()), note: nullable(text()) }),
  events: { rang: text() },
});

/** Both ends of a shop. */
function open() {
  const { left, right } = memoryChannel();
  const orders: string[] = [];
  const served: Served<typeof shop> = serve(shop, right, {
    order: async ({ item, count: wanted }) => {
      if (!(await served.callbacks.confirm(item))) return 'not confirmed';
      orders.push(item);
      served.patch({ orders: [...orders] });
      return `${wanted} ${item}`;
    },
    close: async () => served.patch({ note: 'closed' }),
  });
  const connected = connect(shop, left, { confirm: async (item) => item !== 'poison' });
  return { served, connected, sent: right.sent };
}

describe('a contract', () => {
  it('carries calls both ways, with the types of both ends', async () => {
    const { connected } = open();
    const answer: string = await connected.calls.order({ item: 'tea', count: 2 });
    assert.equal(answer, '2 tea');
    assert.equal(await connected.calls.order({ item: 'poison', count: 1 }), 'not confirmed');
  });

  it('lets no argument through that its schema does not allow', async () => {
    const { connected } = open();
    const wrong = [{ item: 'tea' }, { item: 3, count: 1 }, { item: 'tea', count: 0 }, null, 'tea'];
    for (const params of wrong)
      await assert.rejects(connected.calls.order(params as never), { code: 'invalid-params' }, JSON.stringify(params));
  });

  it('shows its state whole to whoever looks, and then each part that changes', async () => {
    const { served, connected, sent } = open();
    served.patch({ orders: ['milk'], note: null });
    await quiet();
    assert.deepEqual(sent, [], 'nobody has asked yet');
    const seen: unknown[] = [];
    const stop = connected.state.subscribe((state) => seen.push(state));
    await quiet();
    await connected.calls.order({ item: 'tea', count: 1 });
    await connected.calls.close(undefined);
    await quiet();
    assert.deepEqual(seen, [
      { orders: ['milk'], note: null },
      { orders: ['tea'], note: null },
      { orders: ['tea'], note: 'closed' },
    ]);
    stop();
    served.patch({ note: null });
    await quiet();
    assert.equal(seen.length, 3);
    assert.deepEqual(connected.state.current, { orders: ['tea'], note: null });
  });

  it('shows what was patched last, and says things in their order, however close they are to being asked', async () => {
    const { left, right } = memoryChannel();
    const served = serve(shop, right, { order: async () => '', close: async () => undefined });
    const connected = connect(shop, left, { confirm: async () => true });
    served.patch({ note: 'old' });
    right.onMessage(() => {
      served.patch({ note: 'new' });
      served.emit('rang', 'after it');
    });
    const seen: unknown[] = [];
    connected.on('rang', (sound) => seen.push(sound));
    connected.state.subscribe(({ note }) => seen.push(note));
    await quiet();
    assert.deepEqual(seen, ['old', 'new', 'after it']);
  });

  it('drops what does not fit: parts of the state, and events', async () => {
    const { served, connected } = open();
    const heard: string[] = [];
    connected.on('rang', (sound) => heard.push(sound));
    connected.state.subscribe(() => undefined);
    await quiet();
    served.patch({ orders: 'all' } as never);
    served.emit('rang', 5 as never);
    served.emit('rang', 'twice');
    await quiet();
    assert.deepEqual([connected.state.current, heard], [{}, ['twice']]);
  });
});
