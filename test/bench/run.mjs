#!/usr/bin/env node
// npm run bench              runs the benchmarks of TABLE one after the other, and prints what they find as one table.
// npm run bench -- NAME…     runs those named; the others of this folder, such as formats and search, only run like that.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMet, rowText } from './rows.mjs';

/** Those whose rows say how close to its limit each part is, with the part of them that does. */
const TABLE = [
  'engine',
  'firstAnswer',
  'proxy',
  'review',
  'panel',
  'workspace cassettes',
  'verify',
  'transcript memory',
  'activation',
  'growth',
];
/** What benchmarks are made of. */
const PARTS = ['run', 'rows', 'growthPicture', 'formatLimits'];

const folder = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .filter((name) => !PARTS.includes(name));
const named = process.argv.slice(2);
for (const name of named)
  if (!all.includes(name.split(' ')[0])) throw new Error(`no benchmark ${name}; there are: ${all.join(', ')}`);

const build = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (build.status !== 0) process.exit(1);
const kept = mkdtempSync(join(tmpdir(), 'tapedeck-bench-rows-'));
const file = join(kept, 'rows.jsonl');
/** @type {string[]} */
const failed = [];
for (const name of named.length > 0 ? named : TABLE) {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const env = { ...process.env, TAPEDECK_BENCH_ROWS: file };
  const [script, ...parts] = name.split(' ');
  const args = [join(folder, `${script}.mjs`), ...parts];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) failed.push(name);
  console.log(`   ${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
}
const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
rmSync(kept, { recursive: true });
const rows = lines.map((line) => JSON.parse(line));
if (rows.length > 0) {
  console.log('\n── What is asked for');
  for (const row of rows) console.log(rowText(row));
  console.log(`${rows.filter(isMet).length} of ${rows.length} are met`);
}
if (failed.length > 0) console.log(`Failed, or over a limit of their own: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
