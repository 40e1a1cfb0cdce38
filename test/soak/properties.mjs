#!/usr/bin/env node
// node test/soak/properties.mjs [ROUNDS] [FIRST_SEED]   the property tests with other examples in each round.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [rounds = 20, first = Math.floor(Date.now() / 1000)] = process.argv.slice(2).map(Number);
const files = ['core', 'contracts', 'engine', 'reader', 'host', 'webview-ui']
  .flatMap((layer) => readdirSync(`test/${layer}`, { recursive: true }).map((path) => join('test', layer, path)))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("from 'fast-check'"));
let red = 0;
for (let seed = first; seed < first + rounds; seed += 1) {
  const mocha = ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--require', './test/properties.cjs'];
  const { status, stdout } = spawnSync(
    process.execPath,
    [...mocha, '--reporter', 'dot', '--timeout', '120000', '--grep', 'corpus', '--invert', ...files],
    { encoding: 'utf8', env: { ...process.env, TAPEDECK_SEED: `${seed}` } },
  );
  if (status === 0) continue;
  red += 1;
  console.log(`seed ${seed}:\n${stdout.slice(stdout.indexOf('failing') - 20)}`);
}
console.log(`${files.length} files, ${rounds} rounds from seed ${first}: ${red} red`);
process.exitCode = red > 0 ? 1 : 0;
