import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('./guard.mjs', import.meta.url));

/**
 * @typedef {object} GuardedProcess
 * @property {() => string} log all it printed so far
 * @property {Promise<number>} exited its exit code
 * @property {() => Promise<void>} stop ends it with everything it started; safe to call twice
 */

/**
 * Starts a command that cannot outlive this process, however this process ends. It leads its own process group, so Ctrl-C in a terminal
 * reaches it only through us.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {GuardedProcess}
 */
export function spawnGuarded(command, args, options = {}) {
  const child = spawn(process.execPath, [guard, command, ...args], {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  }
  const exited = new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
  return {
    log: () => log,
    exited,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
