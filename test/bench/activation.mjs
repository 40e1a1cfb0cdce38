#!/usr/bin/env node
// Activation in a real VS Code, beside extensions that ship with it, in the same windows: in milliseconds, and as ratios.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInHost } from '../harness/vscode/runInHost.mjs';
import { projectRoot } from '../harness/vscode/versions.mjs';
import { median, ratios, report } from './rows.mjs';

const ROUNDS = 5;
const OWN = 'tapedeck.tapedeck';
const NPM = 'vscode.npm';
const PEERS = [NPM, 'vscode.markdown-language-features'];

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-activation-'));
/** @type {Record<string, number[]>} */
const samples = {};
try {
  const { places } = await activate(PEERS);
  const development = [projectRoot, ...PEERS.map((id) => sleepingCopy(places[id]))];
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = [OWN, ...PEERS];
    const { times, early } = await activate(round % 2 === 0 ? order.toReversed() : order, development);
    if (early.length > 0) throw new Error(`active before it was measured: ${early.join(', ')}`);
    for (const [id, ms] of Object.entries(times)) {
      samples[id] ??= [];
      samples[id].push(ms);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const own = median(samples[OWN]);
console.log(`\nactivation, median of ${ROUNDS} windows`);
for (const [name, values] of Object.entries(samples)) {
  const ms = median(values);
  console.log(`  ${name.padEnd(36)} ${ms.toFixed(1).padStart(7)} ms   tapedeck takes ${(own / ms).toFixed(2)} of it`);
}
const what = 'extension, activated';
report({ what, of: "VS Code's own npm", values: ratios(samples[OWN], samples[NPM]), asked: 0.5 });
report({ what, of: 'an empty window', values: samples[OWN], unit: 'ms', asked: 90 });

/**
 * Activates extensions in a new window, whose workspace is empty.
 * @param {readonly string[]} ids in their order
 * @param {string[]} [extensionDevelopmentPath]
 * @returns {Promise<{times: Record<string, number>, early: string[], places: Record<string, string>}>}
 */
async function activate(ids, extensionDevelopmentPath) {
  const file = join(folder, 'found.json');
  rmSync(file, { force: true });
  await runInHost({
    version: 'newest',
    extensionTestsPath: fileURLToPath(new URL('./activationProbe.cjs', import.meta.url)),
    ...(extensionDevelopmentPath && { extensionDevelopmentPath }),
    env: { TAPEDECK_PROBE: file, TAPEDECK_EXTENSIONS: JSON.stringify(ids) },
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * A copy of an extension that no event activates, which takes the place of the one in VS Code: every window tells that there is JSON, and
 * activates npm before, or while, it is measured.
 * @param {string} place
 */
function sleepingCopy(place) {
  const copy = join(folder, basename(place));
  cpSync(place, copy, { recursive: true });
  const manifest = join(copy, 'package.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), activationEvents: [] }));
  return copy;
}
