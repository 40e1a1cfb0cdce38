import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCodeServer } from './installCodeServer.mjs';
import { writeSettings } from './quietSettings.mjs';
import { spawnGuarded } from './spawnGuarded.mjs';
import { cacheFolder, hostVersion } from './versions.mjs';

const startLimit = 300_000;

const restrictedMode = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

/**
 * @typedef {object} CodeServer
 * @property {string} url
 * @property {number} port
 * @property {import('./versions.mjs').HostVersion} version
 * @property {() => string} log what the server printed so far
 * @property {Promise<number>} exited settles when the server has ended
 * @property {() => Promise<void>} stop ends it and everything it started; safe to call twice
 *
 * @typedef {object} Profile
 * @property {string} [version] `newest` or `oldest`
 * @property {string} extensionsDir
 * @property {string} userDataDir
 */

/**
 * @param {Profile} profile
 * @returns {string[]}
 */
function profileFlags({ extensionsDir, userDataDir }) {
  // Without a config file of its own it would write one into the user's home folder.
  const config = path.join(userDataDir, 'code-server.yaml');
  return ['--config', config, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
}

/**
 * The environment less what would tie the server to the VS Code or code-server this runs in, or its extensions to a marketplace.
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
function serverEnvironment(extra) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_|PASSWORD$)/.test(name),
  );
  // Compiling the server and the extension host anew takes each start a second.
  const compiled = { NODE_COMPILE_CACHE: path.join(cacheFolder, 'compiled') };
  return { ...Object.fromEntries(inherited), ...compiled, EXTENSIONS_GALLERY: '{}', ...extra };
}

/**
 * @param {import('./spawnGuarded.mjs').GuardedProcess} server
 * @returns {Promise<string>} its address, once it answers
 */
async function whenReady(server) {
  let ended = false;
  server.exited.then(() => {
    ended = true;
  });
  for (const deadline = Date.now() + startLimit; Date.now() < deadline && !ended; await delay(50)) {
    const url = /HTTP server listening on (http:\S+?)\/?\s/.exec(server.log())?.[1];
    if (url && (await fetch(`${url}/healthz`).catch(() => undefined))?.ok) return url;
  }
  throw new Error(`code-server ${ended ? 'ended' : 'did not answer'} while starting:\n${server.log()}`);
}

/**
 * Starts the real VS Code server on this machine's loopback, with a quiet profile.
 * @param {Profile & {
 *   workspace?: string, port?: number, trust?: boolean, settings?: Record<string, unknown>, env?: NodeJS.ProcessEnv,
 *   tracer?: readonly string[]
 * }} options trust: false opens the folder in Restricted Mode, without asking; env reaches the extension host; tracer is a command, such
 *   as strace, that runs the server
 * @returns {Promise<CodeServer>}
 */
export async function startCodeServer(options) {
  const { workspace, port = 0, trust = true, settings, env, tracer = [] } = options;
  const version = hostVersion(options.version);
  const { node, entry } = await ensureCodeServer(version);
  await mkdir(options.extensionsDir, { recursive: true });
  await writeSettings(options.userDataDir, { ...(trust ? {} : restrictedMode), ...settings });
  const [command = node, ...args] = [...tracer, node];
  const server = spawnGuarded(
    command,
    [
      ...args,
      entry,
      ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trust ? ['--disable-workspace-trust'] : []),
      ...profileFlags(options),
      ...(workspace ? [workspace] : ['--ignore-last-opened']),
    ],
    { env: serverEnvironment(env) },
  );
  try {
    const url = await whenReady(server);
    return { url, port: Number(new URL(url).port), version, log: server.log, exited: server.exited, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Installs a packaged extension into a profile, as `code --install-extension` does.
 * @param {Profile & {vsix: string}} options
 */
export async function installVsix(options) {
  const { node, entry } = await ensureCodeServer(hostVersion(options.version));
  await mkdir(options.extensionsDir, { recursive: true });
  const args = [entry, ...profileFlags(options), '--install-extension', options.vsix];
  const installer = spawnGuarded(node, args, { env: serverEnvironment() });
  if ((await installer.exited) !== 0) throw new Error(`${options.vsix} could not be installed:\n${installer.log()}`);
}
