import assert from 'node:assert/strict';
import { RpcPeer } from '../../../src/contracts/rpc/rpc';
import { memoryChannel, quiet } from '../../harness/memoryChannel';
import { connectEach, ofText, refusal } from '../../harness/rpcConnections';

describe('RpcPeer', () => {
  const connected = connectEach();

  describe('call', () => {
    it('brings back results, also later ones', async () => {
      assert.equal(await connected.current.caller.call('echo', 'é\n\u{1F600}'), 'é\n\u{1F600}');
      assert.equal(await connected.current.caller.call('later', 'x'), 'x');
      assert.equal(await connected.current.caller.call('names', ['a', 'b']), 2);
    });

    it('brings back null from a method that returns nothing', async () => {
      assert.equal(await connected.current.caller.call('nothing', undefined), null);
    });

    it('brings many answers to their own calls, in whatever order they come', async () => {
      const texts = Array.from({ length: 50 }, (_, index) => 'x'.repeat((index * 7) % 20));
      assert.deepEqual(await Promise.all(texts.map((text) => connected.current.caller.call('later', text))), texts);
    });

    it('goes both ways at once over one channel', async () => {
      const { left, right } = memoryChannel();
      const one = new RpcPeer(left, { echo: ofText((text) => `one ${text}`) });
      const two = new RpcPeer(right, { echo: ofText((text) => `two ${text}`) });
      assert.deepEqual(await Promise.all([one.call('echo', 'a'), two.call('echo', 'b')]), ['two a', 'one b']);
    });
  });

  describe('a call that fails', () => {
    it('says what the method threw', async () => {
      assert.deepEqual(await refusal(connected.current.caller.call('fail', 'the disk is full')), {
        code: 'failed',
        message: 'the disk is full',
      });
    });

    it('keeps the code of an RpcError', async () => {
      assert.deepEqual(await refusal(connected.current.caller.call('refuse', undefined)), {
        code: 'closed',
        message: 'not now',
      });
    });

    it('says that a result cannot be sent', async () => {
      const { code, message } = await refusal(connected.current.caller.call('big', undefined));
      assert.equal(code, 'failed');
      assert.match(message, /BigInt/);
    });

    for (const method of ['missing', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
      it(`has no method called ${JSON.stringify(method)}`, async () => {
        const { code } = await refusal(connected.current.caller.call(method as 'echo', 'x'));
        assert.equal(code, 'unknown-method');
      });
    }

    for (const params of [undefined, null, 1, ['x'], { toString: 'x' }]) {
      it(`does not call a method with ${JSON.stringify(params)} for a text`, async () => {
        const { code, message } = await refusal(connected.current.caller.call('echo', params as unknown as string));
        assert.equal(code, 'invalid-params');
        assert.match(message, /^echo: /);
      });
    }

    it('rejects when its parameters cannot be sent, and leaves nothing behind', async () => {
      const { code } = await refusal(connected.current.caller.call('echo', 1n as unknown as string, { timeoutMs: 5 }));
      assert.equal(code, 'failed');
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(connected.current.left.sent, []);
      assert.equal(await connected.current.caller.call('echo', 'still fine'), 'still fine');
    });

    it('times out, cancels at the other end, and ignores the late answer', async () => {
      const call = connected.current.caller.call('stubborn', undefined, { timeoutMs: 5 });
      const { code, message } = await refusal(call);
      assert.equal(code, 'timeout');
      assert.match(message, /^stubborn: no response within 5 ms/);
      assert.deepEqual(connected.current.left.sent.at(-1), { v: 1, cancel: 1 });
      connected.current.finish('late');
      await quiet();
      assert.equal(await connected.current.caller.call('echo', 'next'), 'next');
    });

    it('does not time out when the answer came in time', async () => {
      await connected.current.caller.call('echo', 'x', { timeoutMs: 5 });
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal(connected.current.left.sent.length, 1);
    });
  });

  describe('cancelling', () => {
    it('reaches the handler, and rejects with a code', async () => {
      const controller = new AbortController();
      const call = connected.current.caller.call('wait', undefined, { signal: controller.signal });
      await quiet();
      assert.equal(connected.current.signals[0]?.aborted, false);
      controller.abort();
      const { code } = await refusal(call);
      assert.equal(code, 'cancelled');
      assert.equal(connected.current.signals[0]?.aborted, true);
    });

    it('cancels only its own call', async () => {
      const controller = new AbortController();
      const first = connected.current.caller.call('wait', undefined, { signal: controller.signal });
      const second = connected.current.caller.call('wait', undefined);
      await quiet();
      controller.abort();
      await refusal(first);
      assert.deepEqual(
        connected.current.signals.map(({ aborted }) => aborted),
        [true, false],
      );
      connected.current.caller.close();
      await refusal(second);
    });

    it('lets a handler that is done anyway still answer', async () => {
      const controller = new AbortController();
      const call = connected.current.caller.call('stubborn', undefined, { signal: controller.signal });
      await quiet();
      controller.abort();
      await quiet();
      connected.current.finish('what there is');
      assert.equal(await call, 'what there is');
    });

    it('sends nothing when it comes before the call', async () => {
      const { code } = await refusal(connected.current.caller.call('echo', 'x', { signal: AbortSignal.abort() }));
      assert.equal(code, 'cancelled');
      assert.deepEqual(connected.current.left.sent, []);
    });

    it('sends nothing when it comes after the answer', async () => {
      const controller = new AbortController();
      await connected.current.caller.call('echo', 'x', { signal: controller.signal });
      controller.abort();
      assert.equal(connected.current.left.sent.length, 1);
    });
  });
});
