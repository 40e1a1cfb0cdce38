import assert from 'node:assert/strict';
import { type EditorApi, type EngineApi, editorGuards } from '../../src/protocol/engine/engine';
import { isSessionEvent, SESSION_EVENT, type SessionEvent } from '../../src/protocol/engine/sessionEvents';
import { lineChannel } from '../../src/protocol/rpc/ndjson';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import { ended, startEngine } from './builtEngine';
import { noDebugger } from './noDebugger';

export interface Window {
  readonly peer: RpcPeer<EditorApi, EngineApi>;
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
    const peer = new RpcPeer<EditorApi, EngineApi>(
      lineChannel({ input: child.stdout, output: child.stdin }),
      editorGuards,
      { chat: async () => ({ content: null, toolCalls: [] }), ...noDebugger },
    );
    const events: SessionEvent[] = [];
    peer.on(SESSION_EVENT, isSessionEvent, (event) => events.push(event));
    await test({ peer, events });
    child.stdin.end();
    assert.equal((await end).code, 0);
  } finally {
    child.kill('SIGKILL');
  }
}
