#!/usr/bin/env node
// Activation in a real VS Code, beside extensions that ship with it, in the same windows: in milliseconds, and as ratios.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInHost } from '../harness/vscode/runInHost.mjs';
import { median, ratios, report } from './rows.mjs';

const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-activation-'));
const samples = {};
for (let round = 0; round < ROUNDS; round += 1) {
  const file = join(folder, `${round}.json`);
  const extensionTestsPath = fileURLToPath(new URL('./activationProbe.cjs', import.meta.url));
  // An empty workspace: nothing has activated an extension before the probe does.
  await runInHost({
    version: 'newest',
    extensionTestsPath,
    env: { TAPEDECK_PROBE: file, TAPEDECK_REVERSED: round % 2 === 0 ? '1' : '' },
  });
  const times = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  for (const [name, ms] of times) samples[name] = [...(samples[name] ?? []), ms];
}
rmSync(folder, { recursive: true });

const own = median(samples['tapedeck.tapedeck']);
console.log(`\nactivation, median of ${ROUNDS} windows`);
for (const [name, values] of Object.entries(samples)) {
  const ms = median(values);
  console.log(`  ${name.padEnd(36)} ${ms.toFixed(1).padStart(7)} ms   tapedeck takes ${(own / ms).toFixed(2)} of it`);
}
const what = 'extension, activated';
const values = ratios(samples['tapedeck.tapedeck'], samples['vscode.npm']);
report({ what, of: "VS Code's own npm", values, asked: 0.5 });
report({ what, of: 'an empty window', values: samples['tapedeck.tapedeck'], unit: 'ms', asked: 90 });
