#!/usr/bin/env node
// node test/bench/workspace.mjs [cases|cassettes]   Needs a build: node esbuild.mjs node
// Workspaces in a real VS Code: 5,000 cases with 10,000 small tapes, and 2,153 cassettes of real shape. How long until they can be
// used, what a change and idling cost, and how much memory the extension host takes. Exit code 1 where a limit is exceeded.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeCassettes } from '../harness/cassettes.mjs';
import { runInHost } from '../harness/vscode/runInHost.mjs';
import { projectRoot } from '../harness/vscode/versions.mjs';
import { median, report as reportRow } from './rows.mjs';

const [CASES, TAPES, JUNK] = [5000, 10_000, 5000];
const CASSETTES = 2153;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const LIMITS = {
  'tree with its first page': 3000,
  'Test Explorer': 3000,
  'one changed file': 100,
  'saved to replayed under watch': 300,
  'tree usable, ms': 3000,
  'more with all tapes listed, MB': 150,
  'more while they are read, MB': 150,
  'all of them in a second window, ms': 1000,
  'changed file shown, ms': 100,
};

const CASSETTE_ROWS = Object.entries(LIMITS).filter(([name]) => name.includes(', '));

/** @param {string} root */
function makeCases(root) {
  const write = (path, text) => writeIn(root, path, text);
  const tape = JSON.stringify({ version: 1, case_name: 'x', interactions: [{ response: 'It is shipped.' }] }, null, 2);
  for (let index = 0; index < TAPES; index += 1) write(`suite${index % 50}/tapes/t${index}.tape.json`, tape);
  for (let index = 0; index < CASES; index += 1) {
    const text = `name = "case_${index}"\nprompt = "Where is order ${index}?"\n\n[llm]\ntape = "tapes/t${index}.tape.json"\n\n[assert]\ncontains = "shipped"\n`;
    write(`suite${index % 50}/case_${index}.toml`, text);
  }
  for (let index = 0; index < JUNK; index += 1) {
    const folder = ['node_modules', '.venv/lib', 'target/debug'][index % 3];
    write(`${folder}/p${index % 200}/f${index}.toml`, 'name = "junk"\nprompt = "x"\n[llm]\nresponses = ["y"]\n');
  }
}

/** @param {string} root @param {string} path @param {string | Buffer} content */
function writeIn(root, path, content) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** What a probe measures in this workspace. @param {string} probe @param {string} workspace @returns {Promise<Record<string, number>>} */
async function measure(probe, workspace) {
  const script = join(folder, `${probe}.js`);
  await build({
    entryPoints: [join(projectRoot, `test/bench/${probe}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = join(folder, 'measured.json');
  const env = { TAPEDECK_PROBE: file, TAPEDECK_PROJECT: projectRoot };
  await runInHost({ workspace, extensionTestsPath: script, env });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} title @param {Record<string, number>} measured */
function report(title, measured) {
  console.log(`\n${title}`);
  for (const [name, value] of Object.entries(measured)) {
    const limit = LIMITS[name];
    const over = limit !== undefined && !(value <= limit);
    if (over) process.exitCode = 1;
    const unit = Number.isInteger(value) || name.includes(', ') ? '' : ' ms';
    console.log(
      `  ${over ? 'OVER' : 'ok  '} ${name.padEnd(40)} ${value.toFixed(Number.isInteger(value) ? 0 : 1).padStart(8)}${unit}${limit ? ` of ${limit}` : ''}`,
    );
  }
}

/** The median of each number. @param {readonly Record<string, number>[]} rounds */
function medians(rounds) {
  return Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, median(rounds.map((round) => round[name]))]));
}

const [part = 'all'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-workspace-'));
try {
  if (part !== 'cassettes') {
    makeCases(join(folder, 'big'));
    const title = `${CASES} cases, ${TAPES} tapes, ${JUNK} files in folders that are not searched`;
    report(title, await measure('workspaceProbe', join(folder, 'big')));
  }
  if (part !== 'cases') {
    writeCassettes(join(folder, 'real'), CASSETTES);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure('cassetteProbe', join(folder, 'real')));
    report(`${CASSETTES} cassettes of real shape, medians of ${ROUNDS} rounds`, medians(rounds));
    const least = median(rounds.map((round) => round['names, and 2 kB of each, ms'] ?? Number.NaN));
    for (const [name, asked] of CASSETTE_ROWS) {
      const [what = name, unit] = name.split(', ');
      const values = rounds.map((round) => round[name] ?? Number.NaN);
      reportRow({
        what: `tree of ${CASSETTES} cassettes: ${what}`,
        of: `a real VS Code; names and 2 kB of each take ${least.toFixed(0)} ms`,
        values,
        unit: unit ?? 'ms',
        asked,
      });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
