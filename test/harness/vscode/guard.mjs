// Runs one command for as long as its parent lives. The parent holds this process's stdin open; when that closes,
// however the parent ended (SIGKILL included), the command and everything it started are ended too.
// Started through spawnGuarded, which makes it the leader of its own process group.
import { spawn } from 'node:child_process';

const gracePeriod = 3000;
const [command, ...args] = process.argv.slice(2);
const child = spawn(command ?? '', args, { stdio: ['ignore', 'inherit', 'inherit'] });

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  process.kill(-process.pid, signal);
}

function stop() {
  child.kill('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), gracePeriod).unref();
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
process.stdin.on('end', stop).on('error', stop).resume();

child.on('error', (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  // What the command left behind goes with it; this process must survive to pass the exit code on.
  process.removeAllListeners('SIGTERM').on('SIGTERM', () => {});
  signalGroup('SIGTERM');
  process.exit(code ?? (signal ? 1 : 0));
});
