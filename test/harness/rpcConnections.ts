import assert from 'node:assert/strict';
import { type Method, RpcError, type RpcErrorCode, RpcPeer } from '../../src/contracts/rpc/rpc';
import { type MemoryEnd, memoryChannel, quiet } from './memoryChannel';

/** Methods that take a text, nothing, or a list of texts. */
export const ofText = (run: (text: string, signal: AbortSignal) => unknown): Method => ({
  accepts: (params) => typeof params === 'string',
  run,
});
const ofNothing = (run: (params: undefined, signal: AbortSignal) => unknown): Method => ({
  accepts: (params) => params === undefined,
  run,
});
const ofTexts = (run: (texts: readonly string[]) => unknown): Method => ({ accepts: Array.isArray, run });

/** A caller and a server over a channel, with what the server's handlers saw. */
export class Connection {
  readonly left: MemoryEnd;
  readonly right: MemoryEnd;
  readonly caller: RpcPeer;
  readonly server: RpcPeer;
  readonly signals: AbortSignal[] = [];
  finish: (text: string) => void = () => assert.fail('nothing waits');

  constructor() {
    const { left, right } = memoryChannel();
    this.left = left;
    this.right = right;
    this.caller = new RpcPeer(left);
    this.server = new RpcPeer(right, {
      echo: ofText((text) => text),
      later: ofText(async (text) => {
        await new Promise((resolve) => setTimeout(resolve, text.length));
        return text;
      }),
      nothing: ofNothing(() => undefined),
      fail: ofText((message) => {
        throw new Error(message);
      }),
      refuse: ofNothing(() => Promise.reject(new RpcError('closed', 'not now'))),
      wait: ofNothing((_, signal) => {
        this.signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }),
      stubborn: ofNothing(
        () =>
          new Promise((resolve) => {
            this.finish = resolve;
          }),
      ),
      big: ofNothing(() => 1n),
      names: ofTexts((names) => names.length),
    });
  }
}

/** The error a call must end with. */
export async function refusal(call: Promise<unknown>): Promise<{ code: RpcErrorCode; message: string }> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof RpcError);
    return { code: error.code, message: error.message };
  }
  assert.fail('the call succeeded');
}

/** A new connection for every test; no test may leave an unhandled rejection behind. */
export function connectEach(): { readonly current: Connection } {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  let current = new Connection();
  before(() => process.on('unhandledRejection', onUnhandled));
  beforeEach(() => {
    current = new Connection();
  });
  afterEach(async () => {
    current.caller.close();
    current.server.close();
    await quiet();
    assert.deepEqual(unhandled.splice(0), []);
  });
  after(() => process.off('unhandledRejection', onUnhandled));
  return {
    get current() {
      return current;
    },
  };
}
