// The server of a run of Jest, or of one of its workers where the run has none.
import { startServer } from './engine.mjs';
import { modeOf } from './mode.mjs';

/** How the workers are told of the server: they have the environment of the process that starts them. */
const VARIABLE = 'TAPEDECK_JEST';

let server;

export async function startForAll({ updateSnapshot, rootDir }) {
  process.env[VARIABLE] = JSON.stringify(await start(updateSnapshot, rootDir));
}

export async function stop() {
  delete process.env[VARIABLE];
  await server?.stop();
}

let own;

/** What tests need of the server; undefined where Tapedeck is off. */
export async function serverOf({ updateSnapshot, rootDir }) {
  const told = process.env[VARIABLE];
  if (told !== undefined) return JSON.parse(told);
  own ??= start(updateSnapshot, rootDir);
  return own;
}

async function start(updateSnapshot, root) {
  const mode = modeOf(process.env, updateSnapshot === 'all');
  if (mode === 'off') return null;
  server = await startServer(root, mode === 'none');
  return { variables: server.variables, mode, root };
}
