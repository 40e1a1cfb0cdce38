// The server of a run of Vitest: it starts beside Vitest itself, which takes as long.
import { resolve } from 'node:path';
import { startServer } from './engine.mjs';
import { modeOf } from './mode.mjs';

/** What is started before Vitest knows how it was called. Vitest may load this file twice. */
const STARTED = Symbol.for('tapedeck.vitest');

/** @param {string} root */
export function startBefore(root) {
  // In watch mode, or with several projects, the configuration is read again.
  if (globalThis[STARTED] !== undefined) return;
  try {
    const mode = modeOf(process.env, false);
    if (mode === 'off') return;
    const server = startServer(resolve(root), mode === 'none');
    // Whoever takes it is told why it could not start.
    server.catch(() => undefined);
    globalThis[STARTED] = { root: resolve(root), replays: mode === 'none', server };
  } catch {
    // A mode that is not valid is told when the tests begin.
  }
}

/** The server for a project: the one that is there already, where it fits. */
export async function takeServer(root, replays) {
  const started = globalThis[STARTED];
  globalThis[STARTED] = null;
  if (started?.root === resolve(root) && started.replays === replays) return started.server;
  await started?.server.then(
    (server) => server.stop(),
    () => undefined,
  );
  return startServer(root, replays);
}
