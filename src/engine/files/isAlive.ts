import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { count, optional, shape, text, type Value } from '../../core/schema/schema';
import { hasCode } from '../errors/systemError';

/** Whether a process with this id is running. One of another user counts: the system refuses to signal it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** A process. It is distinguished from a later one with the same id if the system reports start times. */
export const PROCESS = {
  pid: count('', 1),
  /** Where its id means something: this start of this machine, or of a container. */
  machine: text(),
  /** In the system's own unit; absent if it does not tell. */
  started: optional(text()),
};
export const PROCESS_IDENTITY = shape(PROCESS);
type ProcessIdentity = Value<typeof PROCESS_IDENTITY>;

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, machine: machine(), ...startOf(process.pid) };
  return own;
}

/** Whether a process is the one that is running under its id; undefined if that cannot be known here. */
export function isRunning({ pid, machine, started }: ProcessIdentity): boolean | undefined {
  if (machine !== ownIdentity().machine) return undefined;
  if (!isAlive(pid)) return false;
  const now = startOf(pid);
  return started === undefined || now.started === undefined ? undefined : now.started === started;
}

/** From `/proc`, field 22 of proc_pid_stat(5): the name of the program, before it, may contain anything. */
function startOf(pid: number): Pick<ProcessIdentity, 'started'> {
  const status = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const started = status.slice(status.lastIndexOf(')') + 1).split(' ')[20];
  return started === undefined ? {} : { started };
}

/** A digest, because the name of a machine is nobody's business. */
function machine(): string {
  const boot = textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const processes = textOf(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update([hostname(), boot, processes].join('\0')).digest('hex').slice(0, 16);
}

/** Empty if the system has no such file. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
