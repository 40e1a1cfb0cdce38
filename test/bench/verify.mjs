#!/usr/bin/env node
// How long `verify` takes for 2,000 cassettes of real shape, beside reading and hashing them, in turns in the same run.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cassettes } from '../harness/cassettes.mjs';
import { ratios, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const COUNT = Number(process.env.CASSETTES ?? 2000);
const ROUNDS = 5;
const ASKED = 5;

const root = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  let bytes = 0;
  for (const { folder, path, content } of cassettes(COUNT)) {
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    bytes += content.length;
  }
  /** @type {{ read: number[], verify: number[] }} */
  const times = { read: [], verify: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.read.push(timed(readAndHash));
    times.verify.push(timed(verify));
  }
  const size = `${COUNT} cassettes, ${(bytes / 1e6).toFixed(0)} MB, ${availableParallelism()} processors`;
  report({
    what: `verify: ${size}`,
    of: 'reading and hashing',
    values: ratios(times.verify, times.read),
    asked: ASKED,
  });
} finally {
  rmSync(root, { recursive: true, force: true });
}

function readAndHash() {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      createHash('sha256')
        .update(readFileSync(join(entry.parentPath, entry.name)))
        .digest('hex');
}

function verify() {
  const { status, stderr } = spawnSync(process.execPath, [ENGINE, 'verify', '.'], { cwd: root, encoding: 'utf8' });
  if (status === null || status > 1) throw new Error(stderr);
}

/** @param {() => void} task */
function timed(task) {
  const start = performance.now();
  task();
  return performance.now() - start;
}
