#!/usr/bin/env node
// A workspace of 5,000 cases and 10,000 tapes in a real VS Code: how long until it can be used, what a change and idling cost.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runInHost } from '../harness/vscode/runInHost.mjs';
import { projectRoot } from '../harness/vscode/versions.mjs';

const [CASES, TAPES, JUNK] = [5000, 10_000, 5000];
const LIMITS = {
  'tree with its first page': 3000,
  'Test Explorer': 3000,
  'one changed file': 100,
  'saved to replayed under watch': 300,
};

/** @param {string} root */
function makeWorkspace(root) {
  const write = (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
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

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-workspace-'));
try {
  makeWorkspace(join(folder, 'big'));
  const probe = join(folder, 'probe.js');
  await build({
    entryPoints: [join(projectRoot, 'test/bench/workspaceProbe.ts')],
    outfile: probe,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = join(folder, 'measured.json');
  const env = { TAPEDECK_PROBE: file, TAPEDECK_PROJECT: projectRoot };
  await runInHost({ workspace: join(folder, 'big'), extensionTestsPath: probe, env });
  const measured = JSON.parse(readFileSync(file, 'utf8'));
  console.log(`\n${CASES} cases, ${TAPES} tapes, ${JUNK} files in folders that are not searched`);
  for (const [name, value] of Object.entries(measured)) {
    const limit = LIMITS[name];
    const over = limit !== undefined && value > limit;
    if (over) process.exitCode = 1;
    const unit = Number.isInteger(value) ? '' : ' ms';
    console.log(
      `  ${over ? 'OVER' : 'ok  '} ${name.padEnd(40)} ${value.toFixed(unit === '' ? 0 : 1).padStart(8)}${unit}${limit ? ` of ${limit}` : ''}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
