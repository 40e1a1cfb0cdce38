#!/usr/bin/env node
// How long `verify` takes for 2,153 cassettes of real shape, the first time and again, beside reading and hashing them, in turns
// in the same run; and, for the floor, beside reading and parsing them with common parsers in one thread, and beside Tapedeck's own
// readers in as many threads, in a process that checks nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { load } from 'js-yaml';
import { writeCassettes } from '../harness/cassettes.mjs';
import { median, ratios, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const COUNT = Number(process.env.CASSETTES ?? 2153);
const ROUNDS = 5;
const ASKED = 5;
const SETTLED_MS = 2_500;

const root = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
const scripts = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  const bytes = writeCassettes(root, COUNT);
  writeFileSync(join(root, 'tapedeck.toml'), '');
  // What has just been written may change again without a trace, and is read each time.
  await wait(SETTLED_MS);
  const onlyRead = await bundled('test/bench/verify/onlyRead.ts');
  /** @type {{ read: number[], parse: number[], onlyRead: number[], first: number[], again: number[] }} */
  const times = { read: [], parse: [], onlyRead: [], first: [], again: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(join(root, '.tapedeck'), { recursive: true, force: true });
    times.read.push(timed(readAndHash));
    times.parse.push(timed(readAndParse));
    times.onlyRead.push(timed(() => run([onlyRead, root], 0)));
    times.first.push(timed(verify));
    times.again.push(timed(verify));
  }
  const size = `${COUNT} cassettes, ${(bytes / 1e6).toFixed(0)} MB, ${availableParallelism()} processors`;
  const of = 'reading and hashing';
  report({ what: `verify: ${size}`, of, values: ratios(times.first, times.read), asked: ASKED });
  const parsing = median(ratios(times.parse, times.read)).toFixed(2);
  const toParsing = median(ratios(times.first, times.parse)).toFixed(2);
  console.log(`        verify takes ${toParsing} of parsing them, and parsing them ${parsing} of ${of}`);
  const reading = median(ratios(times.onlyRead, times.read)).toFixed(2);
  console.log(`        its readers alone, in a process that checks nothing, take ${reading} of ${of}`);
  report({ what: 'verify again, nothing changed', of, values: ratios(times.again, times.read), asked: ASKED });
} finally {
  for (const folder of [root, scripts]) rmSync(folder, { recursive: true, force: true });
}

function readAndHash() {
  for (const path of paths()) createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** What any reader of these formats does at least, with common parsers. */
function readAndParse() {
  for (const path of paths()) {
    if (/\.(?:json|har)$/.test(path)) JSON.parse(readFileSync(path, 'utf8'));
    else if (/\.ya?ml$/.test(path)) load(readFileSync(path, 'utf8'));
    else if (path.endsWith('.gz')) load(gunzipSync(readFileSync(path)).toString());
  }
}

function paths() {
  return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name) : [],
  );
}

function verify() {
  run([ENGINE, 'verify', '.'], 1);
}

/** @param {readonly string[]} args of Node @param {number} worst the highest code that it may end with */
function run(args, worst) {
  const env = { ...process.env, XDG_STATE_HOME: join(root, '.state') };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (status === null || status > worst) throw new Error(stderr);
}

/** The path of a script that Node runs as it is, as the engine is built. @param {string} entry */
async function bundled(entry) {
  const outfile = join(scripts, `${basename(entry, '.ts')}.cjs`);
  const options = { bundle: true, minify: true, platform: /** @type {const} */ ('node'), target: 'node20' };
  await build({ ...options, entryPoints: [entry], outfile });
  return outfile;
}

/** @param {() => void} task */
function timed(task) {
  const start = performance.now();
  task();
  return performance.now() - start;
}
