#!/usr/bin/env node
// npm test [-- --slow] [SUITE…]   runs every suite, or those named, and ends with "N passed, N failed".
// --slow adds the suites that take minutes: `*.slow.test.ts`, Python's SDKs, test runners, the oldest supported VS Code, Windows by Wine, and
// the packaged extension.
// `originals` runs only when it is named: it builds other people's programs, and compares Tapedeck with them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './harness/chromium.mjs';
import { ensureCodeServer } from './harness/vscode/installCodeServer.mjs';
import { hostVersion } from './harness/vscode/versions.mjs';

const slow = process.argv.includes('--slow');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-tally-'));

const mocha = (...args) => ['node_modules/mocha/bin/mocha.js', '--reporter', 'test/tally.cjs', ...args];

/** A test in a real window or browser is tried a second time, because the machine may be slow; the end names each. */
const patient = (...args) => mocha('--retries', '1', ...args);

const UNIT_TESTS = ['test/*.test.ts', 'test/{core,contracts,reader,host,start,webview-ui}/**/*.test.ts'];
const ENGINE_TESTS = 'test/engine/**/*.test.ts';
/** Those that start hundreds of processes, or handle very much: `*.slow.test.ts`. */
const SLOW_TESTS = 'test/{core,contracts,reader,engine,host,start,webview-ui}/**/*.slow.test.ts';

/** Packaged once, of what `build` has built. */
const VSIX = 'tapedeck.vsix';

/** Each suite is one command. Those without a tally of their own count as one test. */
const suites = {
  types: { command: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  lint: { command: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  build: { command: ['esbuild.mjs', '--production'] },
  sizes: { command: ['test/sizes.mjs'] },
  vsix: { command: ['build/package.mjs', '--out', VSIX], slow: true },
  unit: { command: mocha('--ignore', SLOW_TESTS, ...UNIT_TESTS), tallied: true },
  engine: { command: mocha('--ignore', SLOW_TESTS, ENGINE_TESTS), tallied: true },
  pages: { command: patient('test/ui/!(transcript)*Page*.test.ts'), tallied: true },
  transcriptPages: { command: patient('test/ui/transcriptPage*.test.ts'), tallied: true },
  host: { command: ['test/harness/vscode/runInHost.mjs', 'newest'], tallied: true },
  stories: { command: patient('test/ui/*Story.test.ts'), tallied: true },
  peers: { command: ['--import', 'tsx', 'test/harness/installPeers.ts'], slow: true },
  unitSlow: { command: mocha(SLOW_TESTS), tallied: true, slow: true, peers: true },
  storiesSlow: { command: patient('test/ui/*Story.slow.test.ts'), tallied: true, slow: true },
  hostOldest: { command: ['test/harness/vscode/runInHost.mjs', 'oldest'], tallied: true, slow: true },
  storyOldest: { command: patient('test/ui/oldest.test.ts'), tallied: true, slow: true },
  python: { command: mocha('test/soak/*.test.ts'), tallied: true, slow: true, peers: true },
  runners: { command: mocha('test/runners/*.test.ts'), tallied: true, slow: true, peers: true },
  windows: { command: mocha('test/windows/*.test.ts'), tallied: true, slow: true, peers: true },
  package: { command: patient('test/ui/packaged*.test.ts'), tallied: true, slow: true },
  originals: { command: mocha('--timeout', '1800000', 'test/originals/*.test.ts'), tallied: true, asked: true },
};

const NOTHING = { passes: 0, failures: 0, pending: 0, failed: [], retried: [], files: [] };

/** The files that took longer are named with their seconds. */
const LONG = 20;

/** What all others need, and what needs none of them: each row one after the other, the rows beside each other. */
const FIRST = [
  ['build', 'sizes', 'vsix'],
  ['types', 'lint'],
];

/**
 * All others: a suite in windows, which waits more than it computes, beside one that computes. When either list is done, what is left of
 * the other is shared.
 */
const IN_WINDOWS = [
  'stories',
  'package',
  'pages',
  'storiesSlow',
  'transcriptPages',
  'host',
  'hostOldest',
  'storyOldest',
  'originals',
];
const COMPUTING = ['engine', 'unitSlow', 'runners', 'python', 'windows'];

/**
 * Beside both, with a lower priority: they get what windows and servers leave while they wait. `peers` waits for the network; a suite with
 * `peers` waits for it.
 */
const BEHIND = ['peers', 'unit'];
const LOWER_PRIORITY = 10;

/** Runs a suite and prints what it printed when it has ended, so that the output of two suites is not mixed. */
async function run(name, { command, tallied }) {
  const tally = join(folder, `${name}.json`);
  const started = performance.now();
  const { status, output } = await collect(
    command,
    { ...process.env, ...packaged, TAPEDECK_TALLY: tally },
    BEHIND.includes(name),
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`\n── ${name}\n${output.trimEnd()}\n── ${name} took ${seconds} s`);
  for (const { file, took } of readTally(tally).files) if (took >= LONG) console.log(`   ${took} s ${file}`);
  if (!tallied) return { ...NOTHING, name, seconds, passes: status === 0 ? 1 : 0, failures: status === 0 ? 0 : 1 };
  return { name, seconds, ...judge(name, tally, status) };
}

function collect(command, env, isBehind) {
  return new Promise((settle) => {
    const chunks = [];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env });
    if (child.pid !== undefined && isBehind) setPriority(child.pid, LOWER_PRIORITY);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const end = (status, problem) =>
      settle({ status, output: `${Buffer.concat(chunks)}${problem ? `${problem}\n` : ''}` });
    child.once('error', (error) => end(null, error.message));
    child.once('close', (status, signal) => end(status, signal && `ended by ${signal}`));
  });
}

/** A suite that failed without a failing test, or that ran no test, has failed. */
function judge(name, tally, status) {
  const counted = readTally(tally);
  if (counted.passes + counted.failures > 0 && (status === 0) === (counted.failures === 0)) return counted;
  console.error(`${name} ended with code ${status} after ${counted.passes} passing tests`);
  return { ...counted, failures: Math.max(1, counted.failures) };
}

function readTally(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return NOTHING;
  }
}

const unknown = named.filter((name) => !(name in suites));
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; there are: ${Object.keys(suites).join(', ')}`);

await ensureChromium();
const chosen = Object.entries(suites).filter(([name, suite]) =>
  named.length > 0 ? named.includes(name) : !suite.asked && (slow || !suite.slow),
);
const results = [];
// A suite that needs the package, and is asked for alone, makes it.
const packaged = chosen.some(([name]) => name === 'vsix') ? { TAPEDECK_VSIX: VSIX } : {};
const runAll = async (list) => {
  for (const [name, suite] of list) results.push(await run(name, suite));
};
const chosenOf = (names) => names.flatMap((name) => chosen.filter(([each]) => each === name));
const peers = runAll(chosenOf(['peers']));
// What cannot be downloaded is said by the suites that need it.
const editor = named.length === 0 && ensureCodeServer(hostVersion()).catch(() => undefined);
await Promise.all([...FIRST.map((names) => runAll(chosenOf(names))), editor]);
const inWindows = chosenOf(IN_WINDOWS);
const computing = chosenOf(COMPUTING);
const runWaiting = async (own, others) => {
  for (let next = own.shift() ?? others.shift(); next !== undefined; next = own.shift() ?? others.shift()) {
    if (next[1].peers) await peers;
    await runAll([next]);
  }
};
await Promise.all([
  runWaiting(inWindows, computing),
  runWaiting(computing, inWindows),
  runAll(chosenOf(['unit'])),
  peers,
]);
rmSync(folder, { recursive: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log('');
for (const { name, seconds, passes, failures, pending } of results) {
  console.log(
    `${failures > 0 ? 'FAILED' : 'ok    '} ${name}: ${passes} passed, ${failures} failed${pending ? `, ${pending} PENDING` : ''} (${seconds} s)`,
  );
}
for (const { name, failed, retried } of results) {
  for (const test of retried) console.log(`TRIED TWICE in ${name}: ${test}`);
  for (const test of failed) console.log(`FAILED in ${name}: ${test}`);
}
console.log(`\n${sum('passes')} passed, ${sum('failures')} failed`);
process.exitCode = sum('failures') > 0 ? 1 : 0;
