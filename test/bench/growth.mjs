#!/usr/bin/env node
// How cost grows over three decades: the processor time of replaying a tape for the first time, of comparing two, of a transcript that is
// read to its end, of listing and of verifying a folder, with 10 to 10,000 interactions or files. Draws out/bench/growth.svg.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { nodeZlib } from '../../build/nodeZlib.mjs';
import { growthPicture } from './growthPicture.mjs';
import { question, tape } from './proxy/conversations.mjs';
import { median, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const SIZES = [10, 100, 1000, 10_000];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** How much n log n grows from the third size to the last, as an exponent of n, and a tenth for what a measure varies. */
const STEEPEST = Math.log10((10_000 * Math.log(10_000)) / (1000 * Math.log(1000))) + 0.1;

const root = mkdtempSync(join(tmpdir(), 'tapedeck-growth-'));
const probe = join(root, 'probe.cjs');
const clock = join(root, 'clock.cjs');
const told = join(root, 'told');

try {
  await build({
    entryPoints: ['test/bench/growthProbe.ts'],
    outfile: probe,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [nodeZlib],
  });
  // The processor time of the whole process, its threads with it, when it ends.
  writeFileSync(
    clock,
    `process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(${JSON.stringify(told)}, String((user + system) / 1000)); });`,
  );
  const sizes = SIZES.map(prepare);
  const tasks = {
    'replay, first time': replay,
    'compare two tapes': (/** @type {Size} */ { old, now }) => run([ENGINE, 'diff', old, now], 1),
    transcript: (/** @type {Size} */ { old }) => run([probe, 'transcript', old]),
    'list a folder': (/** @type {Size} */ { folder }) => run([probe, 'lists', folder]),
    'verify a folder': (/** @type {Size} */ { folder }) => run([ENGINE, 'verify', folder]),
  };
  const empty = [];
  for (let round = 0; round < ROUNDS; round += 1) empty.push(await run([ENGINE, '--version']));
  /** @type {Record<string, number[]>} */
  const curves = {};
  for (const [name, task] of Object.entries(tasks)) {
    /** @type {number[][]} */
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const times = [];
      for (const size of sizes) times.push(Math.max(1, (await task(size)) - median(empty)));
      rounds.push(times);
    }
    curves[name] = SIZES.map((_, at) => median(rounds.map((times) => times[at] ?? 0)));
    const exponents = rounds.map((times) => Math.log10((times[3] ?? 0) / (times[2] ?? 1)));
    report({ what: `growth: ${name}, 1,000 to 10,000`, of: 'n, as an exponent', values: exponents, asked: STEEPEST });
    console.log(`        ${SIZES.map((size, at) => `${size}: ${curves[name]?.[at]?.toFixed(0)} ms`).join(', ')}`);
  }
  mkdirSync('out/bench', { recursive: true });
  writeFileSync('out/bench/growth.svg', growthPicture(SIZES, curves));
  console.log('\nout/bench/growth.svg');
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** @typedef {{ old: string, now: string, folder: string }} Size */

/** Tapes of so many interactions, of which every hundredth changes, and a folder of so many tapes. @param {number} count @returns {Size} */
function prepare(count) {
  const [old, now, folder] = [
    join(root, `${count}.tape.jsonl`),
    join(root, `${count}-now.tape.jsonl`),
    join(root, `${count}`),
  ];
  const text = tape(count, false);
  writeFileSync(old, text);
  let seen = 0;
  writeFileSync(
    now,
    text.replaceAll('The quick', () => (seen++ % 100 === 0 ? 'The quicker' : 'The quick')),
  );
  mkdirSync(folder);
  for (let index = 0; index < count; index += 1) writeFileSync(join(folder, `${index}.tape.jsonl`), tape(1, false));
  return { old, now, folder };
}

/** The processor time of a process, in milliseconds. @param {readonly string[]} args */
async function run(args, mostCode = 0) {
  const { status, stderr } = spawnSync(process.execPath, ['--require', clock, ...args], {
    cwd: root,
    maxBuffer: 1e9,
    encoding: 'utf8',
  });
  if (status === null || status > mostCode) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(readFileSync(told, 'utf8'));
}

/** From the start of a proxy, without a cache, to its first answer. @param {Size} size */
async function replay({ old }) {
  rmSync(join(root, '.tapedeck'), { recursive: true, force: true });
  const args = ['--require', clock, ENGINE, 'serve', '--tape', old, '--token', 'benchmark'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((settle) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const [, found] = /^OPENAI_BASE_URL=(http\S+)$/m.exec(chunk) ?? [];
      if (found !== undefined) settle(found);
    });
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(question(1, false)),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.text();
  const ended = new Promise((settle) => child.once('exit', settle));
  child.kill('SIGINT');
  await ended;
  return Number(readFileSync(told, 'utf8'));
}
