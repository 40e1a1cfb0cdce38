#!/usr/bin/env node
// node test/windows/run.mjs [FOLDER…]   runs all tests that need no browser, or those of the folders, under Wine, and tells of each folder
// what passed. `npm test windows` is the part of them that each run of CI has.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { testUnderWine, windows } from './windowsTests.mjs';

const PROJECT = path.join(import.meta.dirname, '../..');

/** The folders of tests, those of core and engine one by one. */
function folders() {
  const below = (name) =>
    readdirSync(path.join(PROJECT, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${name}/${entry.name}`);
  return [
    ...below('test/core'),
    'test/contracts',
    'test/reader',
    ...below('test/engine'),
    'test/host',
    'test/start',
    'test/windows',
  ];
}

const named = process.argv.slice(2);
if (!existsSync(path.join(PROJECT, 'dist/engine.js')))
  spawnSync(process.execPath, ['esbuild.mjs', 'node'], { cwd: PROJECT, stdio: 'inherit' });
const wine = await windows();
let failures = 0;
try {
  for (const folder of named.length > 0 ? named : folders()) {
    const tests = /\.ts$/.test(folder) ? [folder] : [`${folder}/**/*.test.ts`];
    const { passes, failed, pending, printed, seconds } = await testUnderWine(wine, tests, 1200);
    console.log(`${folder}: ${passes} passed, ${failed.length} failed, ${pending} pending (${seconds} s)`);
    for (const test of failed) console.log(`   FAILED ${test.slice(0, 300)}`);
    if (passes + failed.length + pending === 0) console.log(printed.slice(-2000));
    failures += failed.length;
  }
} finally {
  await wine.close();
}
process.exitCode = failures > 0 ? 1 : 0;
