import assert from 'node:assert/strict';
import { isListOf, isNothing, isText } from '../../src/protocol/rpc/guards';
import { type Api, type Guards, RpcError, type RpcErrorCode, RpcPeer } from '../../src/protocol/rpc/rpc';
import { type MemoryEnd, memoryChannel, quiet } from './memoryChannel';

export type Service = {
  echo(text: string): string;
  later(text: string): Promise<string>;
  nothing(params: undefined): void;
  fail(message: string): never;
  refuse(params: undefined): Promise<never>;
  wait(params: undefined, signal: AbortSignal): Promise<string>;
  stubborn(params: undefined): Promise<string>;
  big(params: undefined): bigint;
  names(names: readonly string[]): number;
};

const guards: Guards<Service> = {
  echo: isText,
  later: isText,
  nothing: isNothing,
  fail: isText,
  refuse: isNothing,
  wait: isNothing,
  stubborn: isNothing,
  big: isNothing,
  names: isListOf(isText),
};

/** A caller and a server over a channel, with what the server's handlers saw. */
export class Connection {
  readonly left: MemoryEnd;
  readonly right: MemoryEnd;
  readonly caller: RpcPeer<Record<string, never>, Service>;
  readonly server: RpcPeer<Service, Api>;
  readonly signals: AbortSignal[] = [];
  finish: (text: string) => void = () => assert.fail('nothing waits');

  constructor() {
    const { left, right } = memoryChannel();
    this.left = left;
    this.right = right;
    this.caller = new RpcPeer<Record<string, never>, Service>(left, {}, {});
    this.server = new RpcPeer<Service, Api>(right, guards, {
      echo: (text) => text,
      later: async (text) => {
        await new Promise((resolve) => setTimeout(resolve, text.length));
        return text;
      },
      nothing: () => undefined,
      fail: (message) => {
        throw new Error(message);
      },
      refuse: () => Promise.reject(new RpcError('closed', 'not now')),
      wait: (_, signal) => {
        this.signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      stubborn: () =>
        new Promise((resolve) => {
          this.finish = resolve;
        }),
      big: () => 1n,
      names: (names) => names.length,
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
