#!/usr/bin/env node
// npm run bench [-- NAME…]   runs the benchmarks of this folder, or those named, one after the other.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMet, rowText } from './rows.mjs';

/** What benchmarks are made of. */
const PARTS = ['run', 'rows', 'growthPicture'];

const folder = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .filter((name) => !PARTS.includes(name));
const named = process.argv.slice(2);
for (const name of named)
  if (!all.includes(name)) throw new Error(`no benchmark ${name}; there are: ${all.join(', ')}`);

const build = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (build.status !== 0) process.exit(1);
const kept = mkdtempSync(join(tmpdir(), 'tapedeck-bench-rows-'));
const file = join(kept, 'rows.jsonl');
for (const name of named.length > 0 ? named : all) {
  console.log(`\n── ${name}`);
  const env = { ...process.env, TAPEDECK_BENCH_ROWS: file };
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.mjs`)], { stdio: 'inherit', env });
  if (status !== 0) process.exitCode = 1;
}
const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
rmSync(kept, { recursive: true });
const rows = lines.map((line) => JSON.parse(line));
if (rows.length > 0) {
  console.log('\n── What is asked for');
  for (const row of rows) console.log(rowText(row));
  console.log(`${rows.filter(isMet).length} of ${rows.length} are met`);
}
