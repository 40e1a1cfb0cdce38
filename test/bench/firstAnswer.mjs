// What a replay takes on a fresh checkout, as in CI: from the start of `serve`, without .tapedeck, to its first exact response, in processor
// time and in memory at its most, beside a process that parses an archive of the same interactions. And the same with what an earlier replay
// has left in .tapedeck.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { question, tape } from './proxy/conversations.mjs';
import { load } from './proxy/load.mjs';
import { startServer } from './proxy/server.mjs';
import { median, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const FORMATS = { har: 'har', vcrpy: 'yaml', tapedeck: 'tape.jsonl' };
/** Of an archive, some 1.8 KB for each interaction. */
const SHORT = { size: 600, sentences: 3 };
/** By the number of interactions: milliseconds and megabytes. YAML may take twice as much. */
const ASKED = { 2000: { cpu: 500, peak: 90, again: 300 }, 10000: { cpu: 1_200, peak: 150, again: 500 } };

const root = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  for (const [count, asked] of Object.entries(ASKED)) {
    const archive = write(Number(count), 'har');
    const peer = median(rounds(() => parsing(archive).cpu));
    const of = `JSON.parse of the archive, ${peer.toFixed(0)} ms, ${parsing(archive).peak.toFixed(0)} MB`;
    for (const format of Object.keys(FORMATS)) {
      const file = write(Number(count), format);
      const fresh = [];
      for (let round = 0; round < ROUNDS; round += 1) fresh.push(await firstAnswer(file, { isFresh: true }));
      await firstAnswer(file, { isFresh: true, keeps: true });
      const again = [];
      for (let round = 0; round < ROUNDS; round += 1) again.push(await firstAnswer(file, { isFresh: false }));
      const drifts = [];
      for (let round = 0; round < ROUNDS; round += 1) drifts.push(await firstDrift(file));
      const factor = format === 'vcrpy' ? 2 : 1;
      const size = `${count} recordings, ${format} of ${(statSync(file).size / 1e6).toFixed(1)} MB`;
      /** @type {[what: string, values: number[], unit: string, limit: number][]} */
      const rows = [
        ['fresh checkout, to the first response', fresh.map(({ cpu }) => cpu), 'ms', asked.cpu * factor],
        ['fresh checkout, memory', fresh.map(({ peak }) => peak), 'MB', asked.peak * factor],
        ['fresh checkout, the first drift after it', drifts, 'ms', 150],
        ['second start, to the first response', again.map(({ cpu }) => cpu), 'ms', asked.again * factor],
      ];
      for (const [what, values, unit, limit] of rows)
        report({ what: `${what}: ${size}`, of, values, unit, asked: limit });
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Writes a tape into a project of its own. @param {number} count @param {string} format */
function write(count, format) {
  const folder = join(root, `${count}-${format}`);
  const file = join(folder, `agent.${FORMATS[format]}`);
  if (existsSync(file)) return file;
  mkdirSync(folder);
  writeFileSync(join(folder, 'tapedeck.toml'), '');
  const source = join(root, `${count}.tape.jsonl`);
  writeFileSync(source, tape(count, false, SHORT));
  const { status, stderr } = spawnSync(process.execPath, [ENGINE, 'convert', source, file, '--to', format, '--force'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`convert ended with ${status}: ${stderr}`);
  rmSync(join(folder, '.tapedeck'), { recursive: true, force: true });
  return file;
}

/** @param {() => number} measure */
function rounds(measure) {
  return Array.from({ length: ROUNDS }, measure);
}

/** @param {string} file */
function parsing(file) {
  const script = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'));
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS / 1024 }));`;
  return JSON.parse(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout);
}

/** `keeps`: it is replayed until what a second start finds is there. @param {string} file @param {{isFresh: boolean, keeps?: boolean}} how */
async function firstAnswer(file, { isFresh, keeps = false }) {
  const folder = join(file, '..');
  const state = join(folder, '.tapedeck');
  if (isFresh) rmSync(state, { recursive: true, force: true });
  const { url, pid, stop } = await startServer([ENGINE, 'serve', '--tape', file, '--token', 'benchmark'], folder);
  try {
    const bodies = [Buffer.from(JSON.stringify(question(0, false, SHORT.size)))];
    const { wrong } = await load({ url: `${url}/chat/completions`, bodies, concurrency: 1 });
    if (wrong > 0) throw new Error(`${file}: a wrong answer`);
    const used = usedBy(pid);
    for (let wait = 0; keeps && wait < 1200 && !isKept(state); wait += 1) await delay(100);
    return used;
  } finally {
    stop();
  }
}

/** The folder is there before what is written into it. @param {string} state */
function isKept(state) {
  const cache = join(state, 'cache');
  return existsSync(cache) && readdirSync(cache).some((name) => name.endsWith('.replay'));
}

/** The processor time of the first drift on a fresh checkout, after an exact response. @param {string} file */
async function firstDrift(file) {
  const folder = join(file, '..');
  rmSync(join(folder, '.tapedeck'), { recursive: true, force: true });
  const { url, pid, stop } = await startServer([ENGINE, 'serve', '--tape', file, '--token', 'benchmark'], folder);
  const ask = (/** @type {string} */ body) =>
    load({ url: `${url}/chat/completions`, bodies: [Buffer.from(body)], concurrency: 1 });
  try {
    const exact = JSON.stringify(question(0, false, SHORT.size));
    await ask(exact);
    const before = usedBy(pid).cpu;
    await ask(exact.replace('lazy dog', 'lazy cat'));
    return usedBy(pid).cpu - before;
  } finally {
    stop();
  }
}

/** The processor time of a process in milliseconds, and its memory at its most in megabytes, on Linux. @param {number} pid */
function usedBy(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return { cpu: ticks * 10, peak };
}
