import assert from 'node:assert/strict';
import { RpcPeer } from '../../../src/contracts/rpc/rpc';
import { memoryChannel, quiet } from '../../harness/memoryChannel';
import { connectEach, ofText, refusal } from '../../harness/rpcConnections';

describe('RpcPeer and its channel', () => {
  const connected = connectEach();

  describe('close', () => {
    it('rejects what is pending with the reason', async () => {
      const calls = [
        connected.current.caller.call('wait', undefined),
        connected.current.caller.call('stubborn', undefined),
      ];
      connected.current.caller.close('the engine ended');
      for (const call of calls) assert.deepEqual(await refusal(call), { code: 'closed', message: 'the engine ended' });
    });

    it('refuses calls and drops events from then on', async () => {
      connected.current.caller.close();
      assert.equal((await refusal(connected.current.caller.call('echo', 'x'))).code, 'closed');
      connected.current.caller.emit('ping');
      assert.deepEqual(connected.current.left.sent, []);
    });

    it('cancels what runs here, sends nothing any more, and stops listening', async () => {
      const call = connected.current.caller.call('wait', undefined);
      await quiet();
      connected.current.server.close();
      await quiet();
      assert.equal(connected.current.signals[0]?.aborted, true);
      assert.deepEqual(connected.current.right.sent, []);
      assert.equal(connected.current.right.listeners(), 0);
      connected.current.caller.close();
      await refusal(call);
    });

    it('may come twice', () => {
      connected.current.caller.close();
      connected.current.caller.close();
    });
  });

  describe('a channel that can no longer send', () => {
    const broken = { send: () => assert.fail('the pipe is gone'), onMessage: () => () => undefined };

    it('rejects the call', async () => {
      const peer = new RpcPeer(broken);
      const { code, message } = await refusal(peer.call('echo', 'x', { timeoutMs: 1000 }));
      assert.equal(code, 'failed');
      assert.match(message, /the pipe is gone/);
    });

    it('does not keep a timeout or a cancellation from ending a call', async () => {
      let works = true;
      const failing = { ...broken, send: () => assert.ok(works, 'the pipe is gone') };
      const peer = new RpcPeer(failing);
      const controller = new AbortController();
      const call = peer.call('wait', undefined, { timeoutMs: 5, signal: controller.signal });
      works = false;
      controller.abort();
      assert.equal((await refusal(call)).code, 'timeout');
    });

    it('does not make an answer an unhandled rejection', async () => {
      let listener: (message: unknown) => void = () => undefined;
      const onMessage = (added: (message: unknown) => void) => {
        listener = added;
        return () => undefined;
      };
      new RpcPeer({ ...broken, onMessage }, { echo: ofText((text) => text) });
      listener({ v: 1, id: 1, method: 'echo', params: 'x' });
      await quiet();
    });
  });

  it('ignores messages that are none', async () => {
    const malformed: unknown[] = [
      undefined,
      null,
      0,
      'text',
      [],
      {},
      { v: 2, id: 1, method: 'echo', params: 'x' },
      { v: 1 },
      { v: 1, id: 1 },
      { v: 1, id: '1', method: 'echo', params: 'x' },
      { v: 1, id: 1, method: ['echo'] },
      { v: 1, id: 1, error: 'text' },
      { v: 1, id: 1, error: null },
      { v: 1, cancel: 'all' },
      { v: 1, cancel: 99 },
      { v: 1, event: 7 },
      { v: 1, event: '__proto__' },
      { v: 1, event: 'nobody-listens' },
      { v: 1, id: 99, ok: 'answer to nothing' },
      { v: 1, id: 99, error: { code: 'failed', message: 'answer to nothing' } },
    ];
    const call = connected.current.caller.call('echo', 'x');
    for (const message of malformed) {
      connected.current.left.receive(message);
      connected.current.right.receive(message);
    }
    assert.equal(await call, 'x');
    assert.equal(connected.current.right.sent.length, 1);
  });

  it('takes an error with an unknown code for a failure', async () => {
    const call = connected.current.caller.call('wait', undefined);
    connected.current.left.receive({ v: 1, id: 1, error: { code: 'constructor', message: 'odd' } });
    assert.deepEqual(await refusal(call), { code: 'failed', message: 'odd' });
  });

  describe('events', () => {
    it('reach every listener in order', async () => {
      const heard: string[] = [];
      connected.current.caller.on('said', (text) => heard.push(`one ${text}`));
      connected.current.caller.on('said', (text) => heard.push(`two ${text}`));
      connected.current.server.emit('said', 'a');
      connected.current.server.emit('other', 'b');
      connected.current.server.emit('said', 'c');
      await quiet();
      assert.deepEqual(heard, ['one a', 'two a', 'one c', 'two c']);
    });

    it('reach nobody who has stopped listening', async () => {
      const heard: unknown[] = [];
      const stop = connected.current.caller.on('said', (text) => heard.push(text));
      connected.current.server.emit('said', 'a');
      await quiet();
      stop();
      stop();
      connected.current.server.emit('said', 'b');
      await quiet();
      assert.deepEqual(heard, ['a']);
    });

    it('come before the result of the call that sent them', async () => {
      const { left, right } = memoryChannel();
      const order: unknown[] = [];
      const server: RpcPeer = new RpcPeer(right, {
        run: {
          accepts: () => true,
          run: () => {
            server.emit('step', 'started');
            return 'done';
          },
        },
      });
      const caller = new RpcPeer(left);
      caller.on('step', (step) => order.push(step));
      order.push(await caller.call('run', undefined));
      assert.deepEqual(order, ['started', 'done']);
    });
  });
});
