// What the processes of a VS Code in a browser hold in memory, as Linux tells it.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Bytes of memory of the extension host, and of the pages of the window with everything in them. Each process is counted
 * with its share of what it has in common with others (PSS), so that sums are true.
 * @typedef {{ host: number, window: number }} Held
 */

const TAKEN_EVERY_MS = 200;

/** @returns {Held} */
export function heldNow() {
  const own = descendants(process.pid);
  const named = (part) => own.filter(({ command }) => command.includes(part));
  const sum = (list) => list.reduce((all, { pid }) => all + proportionalBytes(pid), 0);
  const host = sum(named('--type=extensionHost'));
  if (host === 0) throw new Error('there is no extension host to be measured');
  return { host, window: sum(named('--type=renderer')) };
}

/** The median of what is held over some seconds. @returns {Promise<Held>} */
export async function heldFor(seconds) {
  const taken = [];
  for (let second = 0; second < seconds; second += 1) {
    taken.push(heldNow());
    await delay(1000);
  }
  const median = (values) => values.sort((left, right) => left - right)[values.length >> 1];
  return { host: median(taken.map(({ host }) => host)), window: median(taken.map(({ window }) => window)) };
}

/** The most that is held together while something is done. @returns {Promise<Held>} */
export async function mostHeld(action) {
  let most = heldNow();
  const timer = setInterval(() => {
    const now = heldNow();
    if (now.host + now.window > most.host + most.window) most = now;
  }, TAKEN_EVERY_MS);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  return most;
}

function descendants(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(described);
  const found = new Set([root]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}

/** None where it has ended meanwhile. */
function described(name) {
  try {
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
    return [{ pid: Number(name), parent: Number(parent), command }];
  } catch {
    return [];
  }
}

function proportionalBytes(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
