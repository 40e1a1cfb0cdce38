#!/usr/bin/env node
// How long `search` takes for 10,000 cassettes of real shape after the first time, in seconds and beside reading them, in turns in the same run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeCassettes } from '../harness/cassettes.mjs';
import { ratios, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const COUNT = Number(process.env.CASSETTES ?? 10_000);
/** One round each: what every tape has, what few have, what none has, also where sketches rule out little or nothing, and facts. */
const QUERIES = [
  'invoice tracking',
  '"order 1234"',
  'kangaroo',
  'zebra',
  'wolf',
  'qx',
  'penguin refund',
  'status:error',
  'model:gpt-4o cost:>0.02',
  'tool:lookup_order',
];

const root = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  writeCassettes(root, COUNT);
  writeFileSync(join(root, 'tapedeck.toml'), '');
  console.log(`the first time: ${(timed(() => search('kangaroo')) / 1000).toFixed(1)} s`);
  /** @type {{ read: number[], search: number[] }} */
  const times = { read: [], search: [] };
  for (const query of QUERIES) {
    times.read.push(timed(read));
    times.search.push(timed(() => search(query)));
    console.log(`${query}: ${((times.search.at(-1) ?? 0) / 1000).toFixed(2)} s`);
  }
  const what = `search: ${COUNT} cassettes, after the first time`;
  const seconds = times.search.map((ms) => ms / 1000);
  report({ what, of: 'a process that starts', values: seconds, unit: 's', asked: 2 });
  report({
    what: `${what}, the slowest query`,
    of: 'a process that starts',
    values: [Math.max(...seconds)],
    unit: 's',
    asked: 2,
  });
  report({ what, of: 'reading their texts', values: ratios(times.search, times.read), asked: 2 });
} finally {
  rmSync(root, { recursive: true, force: true });
}

function read() {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) readFileSync(join(entry.parentPath, entry.name), 'utf8').includes('kangaroo');
}

/** @param {string} query */
function search(query) {
  const { status, stderr } = spawnSync(process.execPath, [ENGINE, 'search', query], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === null || status > 1) throw new Error(stderr);
}

/** @param {() => void} task */
function timed(task) {
  const start = performance.now();
  task();
  return performance.now() - start;
}
