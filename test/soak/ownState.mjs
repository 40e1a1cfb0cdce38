#!/usr/bin/env node
// node test/soak/ownState.mjs [TREES=300] [SEED=1]   makes projects whose `.tapedeck` came from a stranger: links at each place, committed
// files, forged journals, takes, forks, runs, decisions, trials and caches, repositories in it, cases with names such as `.git.toml`. Runs
// every command in each, in this process. Nothing outside of what was asked for may be read as ours, written, or removed.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeZlib } from '../../build/nodeZlib.mjs';

const root = mkdtempSync(join(tmpdir(), 'tapedeck-own-state-'));
process.env.XDG_STATE_HOME = join(root, 'confirmed');
const bundle = join(root, 'hostileTrees.cjs');
await build({
  entryPoints: ['test/soak/ownState/hostileTrees.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
  plugins: [nodeZlib],
});
const { faultsIn, makeTemplate, Random, Tree } = createRequire(import.meta.url)(bundle);

const trees = Number(process.argv[2] ?? 300);
const seed = Number(process.argv[3] ?? 1);
const template = await makeTemplate(root);
let wrong = 0;
for (let number = 0; number < trees; number += 1) {
  const folder = join(root, 'tree');
  const tree = Tree.from(template, folder, new Random(seed * 1_000_003 + number));
  const faults = await faultsIn(tree);
  rmSync(folder, { recursive: true, force: true });
  if (number % 50 === 49) console.log(`${number + 1} of ${trees}`);
  if (faults.length === 0) continue;
  wrong += 1;
  console.log(
    `${number} [${tree.attacks.join('; ')}]:\n${[...new Set(faults)].map((fault) => `  ${fault}`).join('\n')}`,
  );
}
rmSync(root, { recursive: true, force: true });
console.log(
  `${trees} trees: ${wrong === 0 ? 'nothing of the user’s was touched, and nothing of a stranger’s was taken for ours' : `${wrong} wrong`}`,
);
process.exitCode = wrong === 0 ? 0 : 1;
