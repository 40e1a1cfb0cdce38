#!/usr/bin/env node
// node --import tsx test/soak/fuzzFormats.mjs [--runs N=1000000] [--seconds N] [--format ID] [--seed S] [--jobs N=1]
// Reads, edits and writes N broken files of every format, and counts what must never happen. Every run can be repeated
// from the seed and its number. --seconds ends a format early. Inputs that fail are kept in out/fuzz/, as small as they could be made; exit code 1 then.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const HANG_MS = 15_000;
const project = join(import.meta.dirname, '../..');
const folder = join(project, 'out/fuzz');

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1000000' },
    format: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
  },
});
const runs = count('runs');
const seconds = count('seconds');
const seed = count('seed');
const corpus = [process.env.TAPEDECK_CORPUS, join(project, '../shared/corpus')].find(
  (path) => path && existsSync(path),
);

mkdirSync(folder, { recursive: true });
// A bundle of its own for each process: two may run at the same time.
const bundle = join(folder, `worker-${process.pid}.cjs`);
const { formats } = await bundled();
const ids = values.format ?? formats.map(({ id }) => id);
for (const id of ids) if (!formats.some((format) => format.id === id)) throw new Error(`there is no format ${id}`);

const results = [];
const waiting = [...ids];
await Promise.all(
  Array.from({ length: count('jobs') }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) results.push(await fuzz(id));
  }),
);
rmSync(bundle);
printTable(results);
process.exitCode = results.some(({ failures }) => failures.size > 0) ? 1 : 0;

function count(name) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1) return value;
  console.error(`--${name} must be a whole number from 1`);
  process.exit(2);
}

/** Bundles what the workers run, and loads the list of formats. */
async function bundled() {
  const options = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
  const entry = join(folder, `formats-${process.pid}.cjs`);
  await build({ ...options, entryPoints: [join(project, 'src/core/tapes/knownFormats.ts')], outfile: entry });
  await build({ ...options, entryPoints: [join(project, 'test/soak/fuzzWorker.ts')], outfile: bundle });
  const loaded = createRequire(import.meta.url)(entry);
  rmSync(entry);
  return loaded;
}

/** Runs all inputs of a format; starts again behind one that hangs or kills the worker. */
async function fuzz(id) {
  const result = {
    id,
    runs: 0,
    rejected: 0,
    edited: 0,
    maxMs: 0,
    seeds: 0,
    failures: new Map(),
    started: performance.now(),
  };
  let from = 0;
  while (from < runs) {
    const stopped = await work(result, from);
    if (stopped === undefined) break;
    note(result, { name: stopped.name, run: stopped.run, path: '', input: undefined });
    from = stopped.run + 1;
  }
  result.seconds = (performance.now() - result.started) / 1000;
  console.error(`${id}: ${result.runs} runs, ${result.failures.size} bugs`);
  return result;
}

/** Resolves when the worker is done, or with the run at which it had to be ended. */
function work(result, from) {
  const pulse = new Int32Array(new SharedArrayBuffer(8));
  const before = { ...result };
  const worker = new Worker(bundle, {
    workerData: { format: result.id, seed, from, to: runs, corpus, pulse },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    let beats = -1;
    const watch = setInterval(() => {
      if (pulse[1] === beats && pulse[1] > 0) settle({ name: `hangs: over ${HANG_MS / 1000} s`, run: pulse[0] });
      beats = pulse[1];
    }, HANG_MS);
    const settle = async (stopped) => {
      clearInterval(watch);
      await worker.terminate();
      resolve(stopped);
    };
    worker.on('message', (message) => {
      if (message.counts) add(result, before, message);
      if (message.type === 'failure') note(result, message);
      if (message.type === 'again') result.failures.get(message.name).times += 1;
      if (message.type === 'done' || performance.now() - result.started > seconds * 1000) settle(undefined);
    });
    worker.on('error', (error) => {
      if (pulse[1] === 0) reject(error);
      else settle({ name: `kills: ${error.code ?? error.message}`, run: pulse[0] });
    });
  });
}

function add(result, before, { counts, seeds }) {
  result.seeds = seeds;
  for (const key of ['runs', 'rejected', 'edited']) result[key] = before[key] + counts[key];
  result.maxMs = Math.max(before.maxMs, counts.maxMs);
  const seconds = (performance.now() - result.started) / 1000;
  if (process.stderr.isTTY)
    process.stderr.write(`\r${result.id}: ${result.runs} of ${runs}, ${Math.round(result.runs / seconds)}/s `);
}

function note(result, { name, run, path, input }) {
  const failure = { name, run, times: (result.failures.get(name)?.times ?? 0) + 1 };
  result.failures.set(name, failure);
  const saved = join(folder, `${result.id}-${run}${path.endsWith('.responses') ? '.responses' : '.txt'}`);
  if (input) writeFileSync(saved, input);
  const size = input ? `, ${input.length} bytes: ${saved}` : '';
  console.error(`\n${result.id}: ${name} (run ${run} of seed ${seed}${size})`);
}

function printTable(rows) {
  const columns = ['format', 'seeds', 'runs', 'runs/s', 'rejected', 'edited', 'max ms', 'failures'];
  const cells = rows.map((row) => [
    row.id,
    row.seeds,
    row.runs,
    Math.round(row.runs / row.seconds),
    `${row.runs === 0 ? 0 : Math.round((100 * row.rejected) / row.runs)} %`,
    row.edited,
    Math.round(row.maxMs),
    [...row.failures.values()].reduce((sum, { times }) => sum + times, 0),
  ]);
  const widths = columns.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => String(row[column]).length)),
  );
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]))).join('  ');
  console.log([columns, ...cells].map(line).join('\n'));
  for (const { id, failures } of rows)
    for (const { name, run, times } of failures.values())
      console.log(`  ${id}: ${name}; ${times} times, first in run ${run}`);
}
