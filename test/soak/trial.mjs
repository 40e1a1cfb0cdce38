#!/usr/bin/env node
// node test/soak/trial.mjs   A trial of 20 cases × 3 models × 5 samples, ten of the cases at a provider of ours with latency, failures
// and rate limits, ten at aimock. The numbers of the report equal those that the providers counted; a trial that is killed goes on, and
// records nothing twice; two at once share the work; five shards merged equal one run; tapes and baselines stay as they are until they
// are adopted. Build the engine first (node esbuild.mjs node).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { startUpstream } from './trial/upstream.mjs';

const ENGINE = resolve('dist/engine.js');
const CASES = 20;
const MODELS = ['model-a', 'model-b', 'model-c'];
const SAMPLES = 5;
const JOBS = 6;
const ALL = CASES * MODELS.length * SAMPLES;
const PRICES = { 'model-a': [1, 4], 'model-b': [0.1, 0.4] };
const TRIAL = [
  'trial',
  'cases',
  ...MODELS.flatMap((model) => ['--model', model]),
  '-n',
  `${SAMPLES}`,
  '--jobs',
  `${JOBS}`,
];
const root = mkdtempSync(join(tmpdir(), 'tapedeck-trial-'));
const upstream = await startUpstream();
const mock = await startMock();
const checks = [];

try {
  await makeProject();
  const before = committed();
  await killedAndResumed();
  await step('tapes, baselines and cases are untouched', () => assert.deepEqual(committed(), before));
  await twoAtOnce();
  await shards();
  await step('tapes, baselines and cases are still untouched', () => assert.deepEqual(committed(), before));
  await adopted(before);
} finally {
  upstream.close();
  await mock.stop();
  rmSync(root, { recursive: true, force: true });
}
const failed = checks.filter((passed) => !passed).length;
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && checks.length > 0 ? 0 : 1;

async function step(name, work) {
  try {
    await work();
    checks.push(true);
    console.log(`ok    ${name}`);
  } catch (error) {
    checks.push(false);
    console.log(`FAILED ${name}\n      ${String(error.message).slice(0, 1500).replaceAll('\n', '\n      ')}`);
  }
}

async function startMock() {
  const server = new LLMock({ port: 0 });
  for (let number = 10; number < CASES; number += 1) {
    const content = number % 4 === 0 ? 'I do not know.' : 'It arrives on Thursday.';
    const usage = { prompt_tokens: 50 + number, completion_tokens: 7, total_tokens: 57 + number };
    // The first fixture that fits answers: model-c fails where the number says so.
    server.on({ userMessage: `Case ${number}:`, model: 'model-c' }, { content, usage });
    server.on({ userMessage: `Case ${number}:` }, { content: 'It arrives on Thursday.', usage });
  }
  await server.start();
  return server;
}

/** The requests that aimock has answered for a case and a model. */
function mocked(number, model) {
  return mock
    .getRequests()
    .filter(({ body }) => body?.model === model && JSON.stringify(body.messages).includes(`Case ${number}:`)).length;
}

function mockedTrial() {
  return mock.getRequests().filter(({ body }) => body?.model !== 'base').length;
}

async function makeProject() {
  const prices = Object.entries(PRICES).map(
    ([model, [input, output]]) => `"${model}" = { input = ${input}, output = ${output} }`,
  );
  write('tapedeck.toml', `[prices]\n${prices.join('\n')}\n`);
  for (let number = 0; number < CASES; number += 1) write(`cases/c${number}.toml`, caseText(number));
  const recorded = await engine(['run', 'cases', '--record']);
  assert.equal(recorded.code, 0, recorded.stderr + recorded.stdout);
  // Half of the cases have a baseline; the others are compared by their tapes.
  const withBaseline = Array.from({ length: CASES }, (_, number) => number).filter((number) => number % 2 === 0);
  const paths = withBaseline.map((number) => `cases/c${number}.toml`);
  const based = await engine(['run', ...paths, '--update-baselines']);
  assert.equal(based.code, 0, based.stderr + based.stdout);
}

function caseText(number) {
  const url = number < 10 ? upstream.url : `${mock.url}/v1`;
  const tool =
    '[[tools]]\nname = "lookup"\ndescription = "Looks a parcel up."\nschema = { type = "object" }\nresult = { parcel = "P-17" }\n';
  return `name = "case ${number}"
prompt = "Case ${number}: where is my parcel?"
${number < 10 && number % 2 === 1 ? tool : ''}[llm]
tape = "c${number}.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${url}"
model = "base"
[assert]
contains = "Thursday"
`;
}

async function killedAndResumed() {
  const child = start([...TRIAL, '--json']);
  while (upstream.ended() + mockedTrial() < 90) await new Promise((done) => setTimeout(done, 5));
  child.kill('SIGKILL');
  await child.done;
  await new Promise((done) => setTimeout(done, 200));
  const kept = results().length;
  const answered = upstream.ended() + mockedTrial();
  await step(`a trial that is killed keeps what is done: ${kept} results of ${answered} conversations`, () => {
    assert.ok(kept >= answered - JOBS && kept <= answered, `${kept} of ${answered}`);
    assert.ok(kept < ALL);
  });
  const resumed = await engine([...TRIAL, '--json']);
  const more = upstream.ended() + mockedTrial() - answered;
  await step(`the same command records the ${ALL - kept} that are missing, and nothing twice`, () => {
    assert.equal(more, ALL - kept);
    assert.equal(results().length, ALL);
  });
  await step('the grid equals the count of the providers', () => compareWithCount(JSON.parse(resumed.stdout)));
  const again = await engine([...TRIAL, '--json']);
  await step('a complete trial calls nobody, and says the same', () => {
    assert.equal(upstream.ended() + mockedTrial() - answered, more);
    assert.equal(again.stdout, resumed.stdout);
  });
  await step('the changes of samples are those of `tapedeck diff`', () => compareWithDiff(JSON.parse(resumed.stdout)));
}

/** Each sample's own recording names the answer that the provider has counted. */
function compareWithCount(trial) {
  assert.equal(trial.cells.length, CASES * MODELS.length);
  assert.equal(trial.isComplete, true);
  assert.equal(trial.baselineModel, 'base');
  for (const { casePath, model, samples, summary } of trial.cells) {
    const number = Number(/c(\d+)\.toml$/.exec(casePath)[1]);
    const expected = number < 10 ? counted(number, model, samples) : mockCount(number, model);
    const at = `${casePath} with ${model}`;
    assert.equal(samples.length, SAMPLES, at);
    const { passed, errors, tokens } = expected;
    assert.deepEqual(
      [summary.passed, summary.errors, summary.of, summary.passRate],
      [passed, errors, SAMPLES, passed / SAMPLES],
      at,
    );
    assert.deepEqual(summary.tokens, spread(tokens.map(([input, output]) => input + output)), at);
    const price = PRICES[model];
    const dollars = price && spread(tokens.map(([input, output]) => (input * price[0] + output * price[1]) / 1e6));
    close(summary.dollars, dollars, at);
    const times = samples.filter(({ verdict }) => verdict !== 'error').map(({ durationMs }) => durationMs);
    assert.deepEqual(summary.durationMs, spread(times), at);
    assert.ok(
      times.every((ms) => ms > 0),
      at,
    );
  }
}

function counted(number, model, samples) {
  const { finals, refused } = upstream.tally.get(`${number}/${model}`);
  const answers = samples.flatMap(({ tapePath }) => (tapePath ? [Number(/Answer (\d+)/.exec(read(tapePath))[1])] : []));
  assert.equal(new Set(answers).size, answers.length, 'two samples have one answer');
  const own = answers.map((answer) => finals[answer]);
  const errors = SAMPLES - own.length;
  assert.ok(errors <= refused, `${errors} errors, ${refused} refused`);
  return { passed: own.filter(({ passed }) => passed).length, errors, tokens: own.map(({ tokens }) => tokens) };
}

function mockCount(number, model) {
  const count = mocked(number, model);
  assert.ok(count >= SAMPLES && count <= SAMPLES + JOBS, `${count} requests`);
  const passed = model === 'model-c' && number % 4 === 0 ? 0 : SAMPLES;
  return { passed, errors: 0, tokens: Array.from({ length: SAMPLES }, () => [50 + number, 7]) };
}

function spread(values) {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => {
    const place = part * (sorted.length - 1);
    const rest = place % 1;
    return sorted[place - rest] * (1 - rest) + (rest === 0 ? 0 : sorted[place - rest + 1] * rest);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

function close(actual, expected, at) {
  assert.deepEqual(Object.keys(actual ?? {}), Object.keys(expected ?? {}), at);
  for (const [name, value] of Object.entries(expected ?? {})) assert.ok(Math.abs(actual[name] - value) < 1e-12, at);
}

async function compareWithDiff(trial) {
  const compared = trial.cells.flatMap(({ samples }) => samples.filter((one) => one.compared));
  assert.ok(compared.length > ALL * 0.8);
  for (const { compared: sides, changes } of compared.filter((_, index) => index % 23 === 0)) {
    const { stdout } = await engine(['diff', sides.before, sides.after, '--json']);
    assert.equal(JSON.parse(stdout).changes.length, changes, `${sides.before} and ${sides.after}`);
  }
}

async function twoAtOnce() {
  rmSync(join(root, '.tapedeck/trials'), { recursive: true });
  const before = upstream.ended() + mockedTrial();
  const both = await Promise.all([engine([...TRIAL, '--json']), engine([...TRIAL, '--json'])]);
  await step('two processes at once record each sample once, and report the same', () => {
    assert.equal(upstream.ended() + mockedTrial() - before, ALL);
    assert.equal(both[0].stdout, both[1].stdout);
  });
}

async function shards() {
  rmSync(join(root, '.tapedeck/trials'), { recursive: true });
  const before = upstream.ended() + mockedTrial();
  const parts = { json: [], junit: [], markdown: [] };
  for (let index = 1; index <= 5; index += 1)
    for (const reporter of Object.keys(parts)) {
      const { stdout } = await engine([...TRIAL, '--reporter', reporter, '--shard', `${index}/5`]);
      write(`reports/${index}.${reporter}`, stdout);
      parts[reporter].unshift(`reports/${index}.${reporter}`);
    }
  await step('five shards record each sample once', () => assert.equal(upstream.ended() + mockedTrial() - before, ALL));
  for (const [reporter, files] of Object.entries(parts)) {
    const whole = await engine([...TRIAL, '--reporter', reporter]);
    const merged = await engine(['merge', ...files]);
    await step(`five shards merged equal one run: ${reporter}`, () => {
      assert.equal(merged.stdout, whole.stdout);
      assert.equal(merged.code === 0, whole.code === 0);
    });
  }
  rmSync(join(root, 'reports'), { recursive: true });
}

async function adopted(before) {
  const requests = upstream.ended() + mockedTrial();
  const { stdout, code } = await engine(['trial', 'cases', '--adopt', 'model-b', '--json']);
  const { adopted: taken, refused } = JSON.parse(stdout);
  await step(`adopted: ${taken.length} cases, refused: ${refused.length}`, () => {
    assert.equal(code, refused.length === 0 ? 0 : 1);
    assert.equal(taken.length + refused.length, CASES);
    assert.ok(taken.length >= 15);
    assert.equal(upstream.ended() + mockedTrial(), requests, 'it calls nobody');
    const after = committed();
    for (const {
      casePath,
      tapePath,
      samples: [sample],
    } of taken) {
      // aimock answers every model with the same bytes.
      if (!/c1\d\./.test(tapePath)) assert.notEqual(after[tapePath], before[tapePath]);
      assert.match(read(casePath), /^model = "model-b"$/m);
      const takes = readdirSync(join(root, '.tapedeck/takes', tapePath)).map((name) =>
        read(join('.tapedeck/takes', tapePath, name)),
      );
      assert.ok(
        takes.some((text) => digest(text) === before[tapePath]),
        `the replaced take of ${tapePath}`,
      );
      const folder = results().find(
        (path) =>
          path.includes(`/${casePath.slice('cases/'.length, -'.toml'.length)}/model-b-`) &&
          path.includes(`sample-${sample}/`),
      );
      assert.equal(digest(read(join(dirname(folder), tapePath.split('/').at(-1)))), after[tapePath]);
    }
    for (const { casePath } of refused) assert.equal(after[casePath], before[casePath]);
  });
  const replayed = await engine(['run', ...taken.map(({ casePath }) => casePath), '--json']);
  await step('what was adopted replays offline; only baselines differ', () => {
    const kinds = JSON.parse(replayed.stdout).results.flatMap(({ failures }) => failures.map(({ kind }) => kind));
    assert.deepEqual(
      [...new Set(kinds)].filter((kind) => kind !== 'difference'),
      [],
    );
  });
  const kept = await engine([...TRIAL, '--json']);
  await step('the trial is still there after its model was adopted', () => {
    assert.equal(JSON.parse(kept.stdout).isComplete, true);
    assert.equal(upstream.ended() + mockedTrial(), requests);
  });
}

/** The results of samples, from the root. */
function results() {
  const folder = join(root, '.tapedeck/trials');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('result.json')).map((name) => `.tapedeck/trials/${name}`);
}

/** The digests of everything that is committed. */
function committed() {
  const names = readdirSync(join(root, 'cases')).map((name) => `cases/${name}`);
  return Object.fromEntries(names.map((name) => [name, digest(read(name))]));
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function start(args) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [ENGINE, ...args], {
    cwd: root,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
  const done = new Promise((settle) => child.once('close', (code) => settle({ code, ...texts })));
  return Object.assign(child, { done });
}

function engine(args) {
  return start(args).done;
}
