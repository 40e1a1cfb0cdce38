import { Console } from 'node:console';
import type { EditorApi, EngineApi } from '../../protocol/engine/engine';
import { engineGuards } from '../../protocol/engine/engineGuards';
import { lineChannel } from '../../protocol/rpc/ndjson';
import { type Channel, RpcPeer } from '../../protocol/rpc/rpc';
import { createApi } from './api';

/** How long running calls may take to end when the other end is gone. */
const GRACE_MS = 2000;

/**
 * Serves the engine until `input` ends or `signal` aborts, so that the process ends with the window that started it. All
 * running calls are then cancelled; the promise resolves when they have ended, or after `GRACE_MS`.
 */
export async function serveRpc(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<void> {
  // stdout carries only frames, so logs of any module go to stderr.
  globalThis.console = new Console(process.stderr, process.stderr);
  const { channel, ended } = stdioChannel(input, output);
  const { api, idle } = createApi(
    (event, params) => peer.emit(event, params),
    (params, signal) => peer.call('chat', params, { signal }),
    {
      debugCommand: (params, signal) => peer.call('debugCommand', params, { signal }),
      attachDebugger: (params, signal) => peer.call('attachDebugger', params, { signal }),
    },
  );
  const peer: RpcPeer<EngineApi, EditorApi> = new RpcPeer(channel, engineGuards, api);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([ended, aborted]);
  peer.close('the engine is shutting down');
  await Promise.race([idle(), pause(GRACE_MS)]);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** A channel over two streams. `ended` resolves when the input ends. */
function stdioChannel(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): { readonly channel: Channel; readonly ended: Promise<void> } {
  input.setEncoding('utf8');
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
  });
  return { channel: lineChannel({ input, output }), ended };
}
