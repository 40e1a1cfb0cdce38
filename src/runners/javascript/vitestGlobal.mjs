// Starts the server of a run of Vitest, and tells its workers of it.
import { modeOf } from './mode.mjs';
import { takeServer } from './vitestServer.mjs';

let server;

/** @param {import('vitest/node').TestProject} project */
export async function setup(project) {
  const { updateSnapshot } = project.vitest?.config.snapshotOptions ?? project.config.snapshotOptions ?? {};
  const mode = modeOf(process.env, updateSnapshot === 'all');
  if (mode === 'off') return;
  const { root } = project.config;
  server = await takeServer(root, mode === 'none');
  project.provide('tapedeck', { variables: server.variables, mode, root });
}

export async function teardown() {
  await server?.stop();
}
