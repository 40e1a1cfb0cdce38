import assert from 'node:assert/strict';
import { engine } from '../../src/contracts/engine/engine';
import type { SessionEvent } from '../../src/contracts/engine/sessionEvents';
import { lineChannel } from '../../src/contracts/rpc/ndjson';
import { ended, startEngine } from './builtEngine';
import { callerOf, type NamedCaller } from './contractEnds';
import { noDebugger } from './noDebugger';

export interface Window {
  readonly peer: NamedCaller<typeof engine>;
  readonly events: readonly SessionEvent[];
}

/** An engine as a window has it, which ends by itself. */
export async function inWindow(
  env: Readonly<Record<string, string>>,
  test: (window: Window) => Promise<void>,
): Promise<void> {
  const child = startEngine(['rpc'], { env });
  const end = ended(child);
  try {
    child.stdout.setEncoding('utf8');
    const peer = callerOf(engine, lineChannel({ input: child.stdout, output: child.stdin }), {
      chat: async () => ({ content: null, toolCalls: [] }),
      ...noDebugger,
    });
    const events: SessionEvent[] = [];
    peer.on('session', (event) => events.push(event));
    await test({ peer, events });
    child.stdin.end();
    assert.equal((await end).code, 0);
  } finally {
    child.kill('SIGKILL');
  }
}
