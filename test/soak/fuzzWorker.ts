import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync } from 'fflate';
import { formats } from '../../src/core/tapes/knownFormats';
import { tapeFile } from '../../src/core/tapes/tapeFile';
import type { TapeFormat } from '../../src/core/tapes/tapeFormat';
import { checkInput, type Failure, type Outcome } from './checkInput';
import { minimise } from './minimise';
import { mutate } from './mutate';
import { Random, runSeed } from './random';
import { type SeedFile, seedFiles } from './seedFiles';

/** What the worker is asked to do. Runs count from `from` up to, but not including, `to`. */
interface Task {
  readonly format: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly corpus: string | undefined;
  /** Where the worker says which run it is at, and that it is alive. */
  readonly pulse: Int32Array;
}

const SLOW_MS = 1000;
const MEMORY_RATIO = 10;
/** What any small file may take: tables, caches, compiled code. */
const MEMORY_FLOOR = 512 * 1024;
const MEMORY_EVERY = 4000;
const REPORT_EVERY = 1000;

const task = workerData as Task;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const format: TapeFormat = formats.find(({ id }) => id === task.format) ?? fail(`there is no format ${task.format}`);
const seeds = seedFiles(format, task.corpus);
const counts = { runs: 0, rejected: 0, edited: 0, maxMs: 0 };
const seen = new Map<string, number>();

if (seeds.length === 0) parentPort?.postMessage({ type: 'done', counts, seeds: 0 });
else {
  for (let run = task.from; run < task.to; run += 1) {
    Atomics.store(task.pulse, 0, run);
    oneRun(run);
    if (counts.runs % REPORT_EVERY === 0) parentPort?.postMessage({ type: 'progress', counts, seeds: seeds.length });
  }
  parentPort?.postMessage({ type: 'done', counts, seeds: seeds.length });
}

function oneRun(run: number): void {
  const random = new Random(runSeed(task.seed, task.format, run));
  const { path, bytes } = pickSeed(random);
  const input = mutate(bytes, random, pickSeed(random).bytes);
  const outcome = timed(path, input, run);
  counts.maxMs = Math.max(counts.maxMs, outcome.ms);
  counts.runs += 1;
  if (!outcome.claimed) counts.rejected += 1;
  if (outcome.edited) counts.edited += 1;
  const failure = outcome.failure ?? (run % MEMORY_EVERY === 0 ? memoryFailure(path, input) : undefined);
  if (failure !== undefined) report(failure, run, path, input);
}

/** Small files are taken more often: they are as likely to be broken in a new way, and faster. */
function pickSeed(random: Random): SeedFile {
  return seeds[Math.floor(seeds.length * random.next() ** 3)] ?? fail('no seeds');
}

/** Checks an input; one that is slow is measured again, since the first time may have been that of the compiler. */
function timed(path: string, input: Buffer, run: number): Outcome & { ms: number } {
  Atomics.add(task.pulse, 1, 1);
  const outcome = measured(path, input, run);
  if (outcome.failure !== undefined || outcome.ms < SLOW_MS) return outcome;
  const again = measured(path, input, run);
  if (again.ms < SLOW_MS) return again;
  return { ...again, failure: { invariant: 'slow', detail: `over ${SLOW_MS} ms` } };
}

/** With the milliseconds that it took of a processor: the machine has other things to do too. */
function measured(path: string, input: Buffer, run: number): Outcome & { ms: number } {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const outcome = checkInput(format, path, input, run);
  const { user, system } = process.cpuUsage(cpu);
  return { ...outcome, ms: Math.min(performance.now() - start, (user + system) / 1000) };
}

/** What file and tape keep alive. */
function memoryFailure(path: string, input: Buffer): Failure | undefined {
  const before = liveBytes();
  let kept: unknown;
  try {
    const file = tapeFile(path, input);
    kept = [file, format.read(file)];
  } catch {
    return undefined;
  }
  const grown = liveBytes() - before;
  const limit = Math.max(MEMORY_FLOOR, unpackedBytes(path, input) * MEMORY_RATIO);
  return kept !== undefined && grown > limit
    ? { invariant: 'memory', detail: `keeps over ${MEMORY_RATIO} times the input` }
    : undefined;
}

/** What the input is unpacked: the tape has to hold that. */
function unpackedBytes(path: string, input: Buffer): number {
  if (input.subarray(0, 2).toString('latin1') !== 'PK') return tapeFile(path, input).text.length;
  try {
    return Object.values(unzipSync(input)).reduce((sum, { length }) => sum + length, 0);
  } catch {
    return input.length;
  }
}

function liveBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Every bug once, with the smallest input that shows it; how often it was seen is counted. */
function report(failure: Failure, run: number, path: string, input: Buffer): void {
  const name = `${failure.invariant}: ${failure.detail}`;
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  if (times > 1) {
    parentPort?.postMessage({ type: 'again', name });
    return;
  }
  const smallest = ['slow', 'memory'].includes(failure.invariant)
    ? input
    : minimise(input, (candidate) => {
        const found = timed(path, candidate, run).failure;
        return found?.invariant === failure.invariant && found.detail === failure.detail;
      });
  parentPort?.postMessage({ type: 'failure', name, run, path, input: new Uint8Array(smallest) });
}

function fail(message: string): never {
  throw new Error(message);
}
