#!/usr/bin/env node
// node test/soak/fuzzFormats.mjs [--runs N=1000000] [--seconds N] [--format ID]… [--seed S] [--jobs N=1] [--slice N=100000] [--resume FILE]
// Reads, edits and writes N broken files of every format, and counts what must never happen. Every run can be repeated
// from the seed and its number. The formats take turns, a slice of runs each; --seconds ends all of it early.
// With --resume the counts go on where FILE has them, as long as the code of the format is the same to the byte.
// Inputs that fail are kept in out/fuzz/, as small as they could be made; exit code 1 then.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { fuzzBundle } from './fuzzBundle.mjs';
import { FuzzRecord } from './fuzzRecord.mjs';

/** Of the clock: the machine may have more to do than this. An input that takes over a second of a processor is found earlier. */
const HANG_MS = 60_000;
const folder = join(import.meta.dirname, '../../out/fuzz');

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1000000' },
    format: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    slice: { type: 'string', default: '100000' },
    resume: { type: 'string' },
  },
});
const runs = count('runs');
const slice = count('slice');
const seed = count('seed');
let deadline = performance.now() + count('seconds') * 1000;
// What was counted so far is kept.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    deadline = 0;
  });

mkdirSync(folder, { recursive: true });
const { bundle, codes, seeds } = await fuzzBundle(folder);
const ids = values.format ?? [...codes.keys()];
for (const id of ids) if (!codes.has(id)) throw new Error(`there is no format ${id}`);
const record = new FuzzRecord(values.resume, seed, codes);
const busy = new Set();

await Promise.all(Array.from({ length: count('jobs') }, takeTurns));
rmSync(bundle);
record.save();
record.print(ids);
process.exitCode = ids.some((id) => record.of(id).failures.length > 0) ? 1 : 0;

function count(name) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1) return value;
  console.error(`--${name} must be a whole number from 1`);
  process.exit(2);
}

/** Always goes on with the format that had the fewest runs so far. */
async function takeTurns() {
  for (;;) {
    const [next] = ids
      .filter((id) => !busy.has(id) && record.of(id).runs < runs)
      .sort((left, right) => record.of(left).runs - record.of(right).runs);
    if (next === undefined || performance.now() > deadline) return;
    busy.add(next);
    await fuzz(next, Math.min(runs, record.of(next).runs + slice));
    busy.delete(next);
    record.save();
  }
}

/** Runs the inputs of a format; starts again behind one that hangs or kills the worker. */
async function fuzz(id, to) {
  while (record.of(id).runs < to && performance.now() < deadline) {
    const stopped = await work(id, record.of(id).runs, to);
    if (stopped === undefined) continue;
    note(id, { name: stopped.name, run: stopped.run, path: '', input: undefined });
    record.of(id).runs = stopped.run + 1;
  }
  const { runs: done, seconds, failures } = record.of(id);
  console.error(`${id}: ${done} runs, ${Math.round(done / seconds)}/s, ${failures.length} bugs`);
}

/** Resolves when the worker is done, or with the run at which it had to be ended. */
function work(id, from, to) {
  const pulse = new Int32Array(new SharedArrayBuffer(8));
  const before = { ...record.of(id) };
  const started = performance.now();
  const worker = new Worker(bundle, {
    workerData: { format: id, seed, from, to, seeds: seeds.get(id), pulse },
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 },
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
      if (message.counts) record.add(id, before, message.counts, (performance.now() - started) / 1000);
      if (message.type === 'failure') note(id, message);
      if (message.type === 'again') record.again(id, message.name);
      if (message.type === 'done' || performance.now() > deadline) settle(undefined);
    });
    worker.on('error', (error) => {
      if (pulse[1] === 0) reject(error);
      else settle({ name: `kills: ${error.code ?? error.message}`, run: pulse[0] });
    });
  });
}

function note(id, { name, run, path, input }) {
  record.fail(id, name, run);
  const saved = join(folder, `${id}-${run}${path.endsWith('.responses') ? '.responses' : '.txt'}`);
  if (input) writeFileSync(saved, input);
  const size = input ? `, ${input.length} bytes: ${saved}` : '';
  console.error(`${id}: ${name} (run ${run} of seed ${seed}, ${path}${size})`);
}
