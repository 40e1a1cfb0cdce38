import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Quiet means: less than a tenth of the processor, for this many looks in a row. */
const QUIET_LOOKS = 6;
const LOOK_MS = 400;
const PATIENCE_MS = 120_000;

/**
 * The process whose arguments have all of these, and whose environment has `marker`.
 * @param {readonly string[]} args @param {string} marker @returns {Promise<number>}
 */
export async function processOf(args, marker) {
  const isMeant = (/** @type {string} */ id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, 'latin1').split('\0');
      const environment = readFileSync(`/proc/${id}/environ`, 'latin1');
      return (
        args.every((arg) => command.includes(arg)) && !command[0].includes('strace') && environment.includes(marker)
      );
    } catch {
      return false;
    }
  };
  for (let attempt = 0; attempt < 100; attempt += 1, await delay(200)) {
    const id = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isMeant(name));
    if (id !== undefined) return Number(id);
  }
  throw new Error(`no process has the arguments ${args.join(' ')}`);
}

/** Processor time of all threads and of children that have ended, in ms. @param {number} id */
function processorTime(id) {
  const times = readFileSync(`/proc/${id}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return 10 * (Number(times[11]) + Number(times[12]) + Number(times[13]) + Number(times[14]));
}

/** @param {number} id @param {'VmHWM' | 'VmRSS'} field */
function memory(id, field) {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${id}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/**
 * What a process uses from the start of `act` until it is quiet again: processor time, the peak of its resident memory, and its
 * resident memory at the end, in MB.
 * @param {number} id @param {() => unknown} act @returns {Promise<{ms: number, mb: number, now: number}>}
 */
export async function measureProcess(id, act) {
  // Resets the peak.
  writeFileSync(`/proc/${id}/clear_refs`, '5');
  const start = processorTime(id);
  await act();
  let last = processorTime(id);
  const deadline = Date.now() + PATIENCE_MS;
  for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < deadline; ) {
    await delay(LOOK_MS);
    const now = processorTime(id);
    quiet = now - last < LOOK_MS / 10 ? quiet + 1 : 0;
    last = now;
  }
  return { ms: last - start, mb: memory(id, 'VmHWM'), now: memory(id, 'VmRSS') };
}
