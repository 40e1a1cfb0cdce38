// How long the engine takes to start, and for a case. Times differ from machine to machine: what counts are the ratios
// to an empty Node process, and to the least that a case could cost, both measured between the others in the same run.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { median, ratios, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const STARTS = 15;
const SUITES = 5;
const CASES = 1000;
/** As long as those of a case. */
const REPORTS = { artifact: 'x'.repeat(2600), result: 'x'.repeat(800) };

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  const starts = await measure(STARTS, {
    'node -e 0': () => runNode(['-e', '0']),
    'engine --version': () => runNode([ENGINE, '--version']),
    'engine rpc, to its hello': sayHello,
  });
  print('Cold start', 'node -e 0', starts, 1);
  const bare = starts['node -e 0'];
  const started = (what, asked) => report({ what, of: 'node -e 0', values: ratios(starts[what], bare), asked });
  started('engine --version', 1.2);
  started('engine rpc, to its hello', 1.5);

  const cases = writeCases();
  const suites = await measure(SUITES, {
    'the floor: parse, mkdtemp, rm': () => floor(cases),
    'and read as TOML, its reports replaced': () => floor(cases, readAndReport),
    'run, --jobs 1': () => runCases('1'),
    'run, default jobs': () => runCases(),
  });
  const floorName = 'the floor: parse, mkdtemp, rm';
  print(`${CASES} scripted cases, per case`, floorName, suites, CASES);
  const values = ratios(suites['run, --jobs 1'], suites[floorName]);
  report({ what: 'scripted case, one process', of: floorName, values, asked: 5 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs every task `rounds` times, one after the other in each round; gives their milliseconds. */
async function measure(rounds, tasks) {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = performance.now();
      await task();
      times[name].push(performance.now() - start);
    }
  }
  return times;
}

function print(title, reference, times, divisor) {
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  console.log(`\n${title.padEnd(36)}${'median'.padStart(12)}${'ratio'.padStart(8)}`);
  for (const [name, time] of Object.entries(medians)) {
    const ratio = (time / medians[reference]).toFixed(2);
    console.log(`  ${name.padEnd(34)}${`${(time / divisor).toFixed(2)} ms`.padStart(12)}${ratio.padStart(8)}`);
  }
}

function runNode(args, cwd = folder) {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
}

async function sayHello() {
  const child = spawn(process.execPath, [ENGINE, 'rpc'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write('{"v":1,"id":1,"method":"hello"}\n');
  await new Promise((settle, fail) => {
    child.stdout.once('data', settle);
    child.once('exit', (code) => fail(new Error(`the engine ended with ${code} before it said hello`)));
  });
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
}

/** Cases of two turns with a tool call between them; gives their texts. */
function writeCases() {
  for (const name of ['cases', 'reports']) mkdirSync(join(folder, name));
  return Array.from({ length: CASES }, (_, index) => {
    const text = `name = "case_${index}"
prompt = "Look order ${index} up and tell me where it is."

[[tools]]
name = "find_order"
description = "Finds an order by its number."
schema = { type = "object", properties = { id = { type = "integer" } }, required = ["id"] }
result = { id = ${index}, status = "shipped" }

[[llm.steps]]
type = "tool_call"
tool = "find_order"
arguments = { id = ${index} }

[[llm.steps]]
type = "text"
content = "Order ${index} has been shipped."

[assert]
contains = "shipped"
tool_called = "find_order"
`;
    writeFileSync(join(folder, 'cases', `${index}.toml`), text);
    return JSON.stringify({ text });
  });
}

/** What no runner can do without: its input parsed, and a workspace made and removed for each case. */
function floor(cases, andThen = (_index, _text) => {}) {
  for (const [index, text] of cases.entries()) {
    JSON.parse(text);
    const read = readFileSync(join(folder, 'cases', `${index}.toml`), 'utf8');
    rmSync(mkdtempSync(join(folder, 'floor-')), { recursive: true });
    andThen(index, read);
  }
}

/**
 * What every case has besides, with common parts alone: it is read, what it depends on is known again, and its artifact and result take
 * the places of the last ones at once, so that nobody reads half of one.
 */
function readAndReport(index, text) {
  parse(text);
  createHash('sha256').update(text).digest('hex');
  statSync(join(folder, 'cases', `${index}.baseline.json`), { throwIfNoEntry: false });
  for (const [kind, report] of Object.entries(REPORTS)) {
    const path = join(folder, 'reports', `${index}.${kind}.json`);
    writeFileSync(`${path}.new`, report);
    renameSync(`${path}.new`, path);
  }
}

function runCases(jobs) {
  runNode([ENGINE, 'run', 'cases', '--reporter', 'json', ...(jobs ? ['--jobs', jobs] : [])]);
}
