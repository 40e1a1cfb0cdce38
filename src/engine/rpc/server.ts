import { Console } from 'node:console';
import { type Served, serve } from '../../contracts/contract';
import { engine } from '../../contracts/engine/engine';
import { lineChannel } from '../../contracts/rpc/ndjson';
import type { Channel } from '../../contracts/rpc/rpc';
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
    (event, value) => served.emit(event, value),
    (params, signal) => served.callbacks.chat(params, { signal }),
    {
      debugCommand: (params, signal) => served.callbacks.debugCommand(params, { signal }),
      attachDebugger: (params, signal) => served.callbacks.attachDebugger(params, { signal }),
    },
  );
  const served: Served<typeof engine> = serve(engine, channel, api);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([ended, aborted]);
  served.close('the engine is shutting down');
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
