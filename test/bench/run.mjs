#!/usr/bin/env node
// npm run bench [-- NAME…]   runs the benchmarks of this folder, or those named, one after the other.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.slice(0, -4));
const named = process.argv.slice(2);
for (const name of named)
  if (!all.includes(name)) throw new Error(`no benchmark ${name}; there are: ${all.join(', ')}`);

const build = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (build.status !== 0) process.exit(1);
for (const name of named.length > 0 ? named : all) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.mjs`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
