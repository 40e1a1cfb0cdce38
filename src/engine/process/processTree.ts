import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from '../errors/systemError';

const WINDOWS = process.platform === 'win32';
/** How long a process may take to end by itself. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

/**
 * Whether a child is to lead a process group of its own, so that all its processes can be ended with it. One that has the
 * terminal is not: only the terminal's own group may read from it, and Ctrl+C reaches that group anyway.
 */
export function startsOwnTree(captured: boolean): boolean {
  return !WINDOWS && (captured || !process.stdin.isTTY);
}

/** Ends a child and all processes it started, with SIGTERM and after a while with SIGKILL. Settles when they have ended. */
export async function endTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (WINDOWS) return endWindowsTree(child, pid);
  const group = isGroup(pid) ? -pid : pid;
  if (group === pid && child.exitCode !== null) return;
  if (!send(group, 'SIGTERM')) return;
  for (let waited = 0; waited < GRACE_MS; waited += POLL_MS) {
    await wait(POLL_MS);
    if (!send(group, 0)) return;
  }
  send(group, 'SIGKILL');
}

/** Whether there is still a process in the group that this one leads. */
function isGroup(pid: number): boolean {
  return send(-pid, 0);
}

/** False when the process or group no longer exists. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH', 'EPERM')) return false;
    throw error;
  }
}

/**
 * Windows has no groups: whose parent has ended belongs to nobody, so only a tree whose root still runs can be ended. The id of one that
 * has ended may be that of another process meanwhile.
 */
async function endWindowsTree(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // By its whole path: Windows would look for it in the working folder first.
  const taskkill = join(process.env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const killer = spawn(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  await new Promise((resolve) => killer.once('error', resolve).once('exit', resolve));
  child.kill('SIGKILL');
  await Promise.race([ended, wait(GRACE_MS)]);
}
