import { setImmediate as nextTask } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { TapeFormat } from '../../src/core/tapes/format';
import { formats } from '../../src/core/tapes/registry';
import { checkInput, type Failure, type Outcome } from './checkInput';
import { keptBytes, mostKept } from './keptBytes';
import { minimise } from './minimise';
import { mutate } from './mutate';
import { Random, runSeed } from './random';
import type { SeedFile, Seeds } from './seedFiles';

/** What the worker is asked to do. Runs count from `from` up to, but not including, `to`. */
interface Task {
  readonly format: string;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly seeds: Seeds;
  /** Where the worker says which run it is at, and that it is alive. */
  readonly pulse: Int32Array;
}

const SLOW_MS = 1000;
/** Memory is measured exactly this often, of every input so large, and whenever one made the heap grow by so much. */
const MEMORY_EVERY = 10_000;
const LARGE = 32 * 1024;
const SUSPICIOUS = 12 * 1024 * 1024;
const REPORT_EVERY = 1000;
/** What is only held until a task ends is let go this often. */
const TASK = 20;
/** Large files take long and find little that a small one does not. */
const LARGE_SHARE = 0.01;

const task = workerData as Task;
// To make the stack of an error takes longer than to read most inputs.
Error.stackTraceLimit = 0;
const format: TapeFormat = formats.find(({ id }) => id === task.format) ?? fail(`there is no format ${task.format}`);
const { small, large } = task.seeds;
const counts = { runs: 0, rejected: 0, edited: 0, maxMs: 0 };
const seen = new Map<string, number>();

void runAll();

async function runAll(): Promise<void> {
  for (let run = task.from; run < task.to; run += 1) {
    Atomics.store(task.pulse, 0, run);
    await oneRun(run);
    if (counts.runs % REPORT_EVERY === 0) parentPort?.postMessage({ type: 'progress', counts });
    if (run % TASK === 0) await nextTask();
  }
  parentPort?.postMessage({ type: 'done', counts });
}

async function oneRun(run: number): Promise<void> {
  const random = new Random(runSeed(task.seed, task.format, run));
  const { path, bytes } = pickSeed(random);
  const input = mutate(Buffer.from(bytes), random, Buffer.from(pickSeed(random).bytes));
  const before = heapBytes();
  const outcome = timed(path, input, run);
  const isSuspicious = heapBytes() - before > SUSPICIOUS || input.length > LARGE || run % MEMORY_EVERY === 0;
  counts.maxMs = Math.max(counts.maxMs, outcome.ms);
  counts.runs += 1;
  if (!outcome.claimed) counts.rejected += 1;
  if (outcome.edited) counts.edited += 1;
  const failure = outcome.failure ?? (isSuspicious ? await memoryFailure(path, input) : undefined);
  if (failure !== undefined) report(failure, run, path, input);
}

/** Smaller files are taken more often: they are as likely to be broken in a new way, and faster. */
function pickSeed(random: Random): SeedFile {
  const isLarge = random.chance(small.length === 0 ? 1 : LARGE_SHARE);
  const seeds = isLarge && large.length > 0 ? large : small;
  return (
    seeds[Math.floor(seeds.length * random.next() ** 3)] ?? fail(`there is no sample of ${format.id} in samples.ts`)
  );
}

/** Checks an input; one that is slow is measured again, since the first time may have been that of the compiler. */
function timed(path: string, input: Buffer, run: number): Outcome & { ms: number } {
  Atomics.add(task.pulse, 1, 1);
  const start = performance.now();
  const outcome = checkInput(format, path, input, run);
  const ms = performance.now() - start;
  if (outcome.failure !== undefined) return { ...placed(() => checkInput(format, path, input, run)), ms };
  if (ms < SLOW_MS) return { ...outcome, ms };
  const again = cpuMs(() => checkInput(format, path, input, run));
  return again < SLOW_MS
    ? { ...outcome, ms: again }
    : { ...outcome, ms: again, failure: { invariant: 'slow', detail: `over ${SLOW_MS} ms` } };
}

/** The same again, with the place at which an error was thrown. */
function placed(check: () => Outcome): Outcome {
  Error.stackTraceLimit = 1;
  const outcome = check();
  Error.stackTraceLimit = 0;
  return outcome;
}

/** The milliseconds that it took of a processor: the machine has other things to do too. */
function cpuMs(action: () => void): number {
  const start = performance.now();
  const cpu = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(performance.now() - start, (user + system) / 1000);
}

/** The least of three times counts: some of it may be for the code, or of an input before. */
async function memoryFailure(path: string, input: Buffer): Promise<Failure | undefined> {
  const limit = mostKept(path, input);
  for (let left = 3; left > 0; left -= 1) if ((await keptBytes(format, path, input, limit)) <= limit) return undefined;
  return { invariant: 'memory', detail: 'keeps over 10 times the input' };
}

function heapBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
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
