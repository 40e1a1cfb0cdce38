// node --import tsx test/soak/runnerSuites.ts [SUITES] [SEED]   random suites of pytest against a model: passes, failures, skips, expected
// failures, retries, errors that are swallowed, xdist, a runner that is killed. Tapes and verdicts are as the model says. 200 suites by
// default; build the engine first.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecoverDocument } from '../../src/engine/reporters/jsonDocuments';
import { ended, inProject, type TestProject } from '../harness/builtEngine';
import { PYTHON_PEERS, pythonWith } from '../harness/peers';
import { completion, sendJson, serve } from '../harness/support';
import { Random, runSeed } from './random';

const PROJECT = join(__dirname, '../..');

/** A Python for the suites. Rejects where there is none. */
export async function suitePython(): Promise<string> {
  const peer = await pythonWith('runnerSuites');
  if ('missing' in peer)
    throw new Error(`NOT TESTED: there is no Python with ${PYTHON_PEERS.runnerSuites.join(', ')}: ${peer.missing}`);
  return peer.python;
}

const KINDS = ['passes', 'fails', 'skips', 'expected', 'swallows', 'retries', 'asksNothing', 'badSetup'] as const;
type Kind = (typeof KINDS)[number];
type Verdict = 'passed' | 'failed' | 'skipped' | 'error';

interface DrawnTest {
  readonly name: string;
  readonly kind: Kind;
  /** How many questions it asks. */
  readonly asks: number;
  /** Its questions have another word later. */
  readonly changes: boolean;
  /** It fails when it is recorded again. */
  readonly failsLater: boolean;
}

/** The questions of a test. Those of a first try that is repeated begin differently. */
function questions({ name, asks, changes, kind }: DrawnTest, word: string, attempt = 2): readonly string[] {
  const start = kind === 'retries' ? `try ${attempt} of ${name}` : name;
  return Array.from({ length: asks }, (_, index) => `${start}, ${index}${changes ? ` ${word}` : ''}`);
}

function drawSuite(random: Random): readonly DrawnTest[] {
  return Array.from({ length: 3 + random.below(8) }, (_, index) => {
    const kind = random.pick(KINDS);
    return {
      name: `test_${index}_${kind}`,
      kind,
      asks: kind === 'asksNothing' ? 0 : 1 + random.below(3),
      changes: random.chance(0.4),
      failsLater: random.chance(0.3),
    };
  });
}

const PREAMBLE = `import os, pytest, requests
pytestmark = pytest.mark.tapedeck
WORD = os.environ["WORD"]
TRIES = {}
def ask(text):
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    response = requests.post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json=body, timeout=60)
    response.raise_for_status()
    assert response.json()["choices"][0]["message"]["content"] == "answer to " + text
@pytest.fixture
def bad():
    raise ValueError("bad setup")
`;

function source(test: DrawnTest): string {
  const { name, kind, asks, changes, failsLater } = test;
  const start = kind === 'retries' ? `"try %d of ${name}" % TRIES["${name}"]` : `"${name}"`;
  const asked = `for i in range(${asks}): ask(${start} + ", %d" % i${changes ? ' + " " + WORD' : ''})`;
  const later = failsLater ? ['assert "LATER" not in os.environ'] : [];
  const bodies: Readonly<Record<Kind, readonly string[]>> = {
    passes: [asked, ...later],
    fails: [asked, 'assert False'],
    skips: [asked, 'pytest.skip("later")'],
    expected: [asked, 'assert False'],
    swallows: ['try:', `    ${asked}`, 'except requests.RequestException: pass', ...later],
    retries: [`TRIES["${name}"] = TRIES.get("${name}", 0) + 1`, asked, `assert TRIES["${name}"] == 2`, ...later],
    asksNothing: ['pass'],
    badSetup: [asked],
  };
  const mark =
    kind === 'expected' ? '@pytest.mark.xfail\n' : kind === 'retries' ? '@pytest.mark.flaky(reruns=1)\n' : '';
  return `${mark}def ${name}(${kind === 'badSetup' ? 'bad' : ''}):\n${bodies[kind].map((line) => `    ${line}\n`).join('')}`;
}

/** What becomes of a test that is recorded: its verdict, and whether its tape is saved. */
function recordedVerdict(
  { kind, failsLater, asks }: DrawnTest,
  isLater: boolean,
): { readonly verdict: Verdict; readonly isSaved: boolean } {
  const fails = isLater && failsLater && (kind === 'passes' || kind === 'swallows' || kind === 'retries');
  if (kind === 'badSetup') return { verdict: 'error', isSaved: false };
  if (kind === 'fails' || fails) return { verdict: 'failed', isSaved: false };
  if (kind === 'skips') return { verdict: 'skipped', isSaved: false };
  // An expected failure is what the test wants: pytest counts it as skipped.
  return { verdict: kind === 'expected' ? 'skipped' : 'passed', isSaved: asks > 0 };
}

/** What becomes of it in a replay with the later word. */
function replayedVerdict(test: DrawnTest): Verdict {
  const { kind, changes, asks } = test;
  if (kind === 'badSetup') return 'error';
  if (kind === 'expected') return 'skipped';
  if (asks === 0) return 'passed';
  // Its first try is on no tape; a drift is what fails the second one.
  const isOnTape = recordedVerdict(test, false).isSaved && !changes;
  return isOnTape ? 'passed' : 'failed';
}

class Suite {
  constructor(
    private readonly python: string,
    private readonly project: TestProject,
    private readonly tests: readonly DrawnTest[],
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const { PATH = '', HOME = '' } = process.env;
    const plugins = ['-m', 'pytest', '-q', '-p', 'pytest_tapedeck.plugin', '-p', 'no:cacheprovider'];
    return spawn(this.python, [...plugins, '--junitxml=verdicts.xml', ...args], {
      cwd: this.project.root,
      env: {
        PATH,
        HOME,
        PYTHONPATH: join(PROJECT, 'src/runners/python'),
        PYTHONDONTWRITEBYTECODE: '1',
        TAPEDECK_ENGINE: `${process.execPath} ${join(PROJECT, 'dist/engine.js')}`,
        ...this.env,
        ...env,
      },
    });
  }

  /** Runs the suite, and compares each verdict. */
  async expect(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    verdict: (test: DrawnTest) => Verdict,
  ): Promise<void> {
    const { stdout, stderr } = await ended(this.start(args, env) as never);
    const report = existsSync(this.project.path('verdicts.xml')) ? await this.project.read('verdicts.xml') : '';
    const wanted = Object.fromEntries(this.tests.map((test) => [test.name, verdict(test)]));
    assert.deepEqual(verdictsIn(report), wanted, `${args.join(' ')} ${JSON.stringify(env)}\n${stdout}${stderr}`);
  }

  /** The questions on each tape, by test. */
  tapes(): Record<string, readonly string[]> {
    const folder = this.project.path('tests/tapes/test_drawn');
    const names = existsSync(folder) ? readdirSync(folder).sort() : [];
    return Object.fromEntries(
      names.map((name) => {
        const lines = readFileSync(join(folder, name), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        const asked = lines.filter((line) => 'request' in line).map((line) => line.json.messages[0].content as string);
        const answered = lines.filter((line) => 'response' in line).length;
        assert.equal(answered, asked.length, `${name} is whole`);
        return [name.replace('.tape.jsonl', ''), asked];
      }),
    );
  }

  async kept(): Promise<readonly string[]> {
    const { stdout } = await this.project.engine(['recover', '--json']);
    const { recordings } = JSON.parse(stdout) as RecoverDocument;
    return recordings.map(({ tape }) => tape.replace(/^.*\/|\.tape\.jsonl$/g, ''));
  }
}

function verdictsIn(junit: string): Record<string, Verdict> {
  const cases = junit.matchAll(/<testcase [^>]*?\bname="([^"]+)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return Object.fromEntries(
    Array.from(cases, ([, name = '', inside = '']) => {
      const [, found] = /<(failure|error|skipped)\b/.exec(inside) ?? [];
      const verdict: Verdict =
        found === 'failure' ? 'failed' : found === 'error' || found === 'skipped' ? found : 'passed';
      return [name, verdict];
    }),
  );
}

/** One suite: recorded, replayed with other words, and recorded again while some tests fail. */
export async function checkSuite(python: string, seed: number): Promise<void> {
  const random = new Random(seed);
  const tests = drawSuite(random);
  const upstream = await serve((response, { body }) => {
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
    sendJson(response, 200, completion(`answer to ${messages.at(-1)?.content}`));
  });
  const parallel = (): readonly string[] => (random.chance(0.5) ? ['-n', '2'] : []);
  try {
    const files = {
      'tapedeck.toml': '',
      'pytest.ini': '[pytest]\n',
      'tests/test_drawn.py': PREAMBLE + tests.map(source).join(''),
    };
    await inProject(files, async (project) => {
      const suite = new Suite(python, project, tests, { OPENAI_BASE_URL: upstream.baseUrl });
      const first = tests.filter((test) => recordedVerdict(test, false).isSaved);
      const expected = Object.fromEntries(first.map((test) => [test.name, questions(test, 'one')]).sort());
      if (random.chance(0.3)) await killOnce(suite, random, expected);
      await suite.expect(parallel(), { WORD: 'one' }, (test) => recordedVerdict(test, false).verdict);
      assert.deepEqual(suite.tapes(), expected, 'recorded');

      const asked = upstream.requests.length;
      await suite.expect(parallel(), { WORD: 'two', CI: '1' }, replayedVerdict);
      assert.deepEqual(suite.tapes(), expected, 'a replay writes nothing');
      assert.equal(upstream.requests.length, asked, 'and asks nobody');

      await suite.expect(
        [...parallel(), '--tapedeck=rewrite'],
        { WORD: 'two', LATER: '1' },
        (test) => recordedVerdict(test, true).verdict,
      );
      const again = first.map((test) => [
        test.name,
        questions(test, recordedVerdict(test, true).isSaved ? 'two' : 'one'),
      ]);
      assert.deepEqual(suite.tapes(), Object.fromEntries(again.sort()), 'a failing test keeps its old tape');
      const kept = await suite.kept();
      for (const test of tests)
        if (test.asks > 0 && test.kind !== 'badSetup' && !recordedVerdict(test, true).isSaved)
          assert.ok(kept.includes(test.name), `${test.name} is offered: ${kept.join()}`);
    });
  } finally {
    await upstream.close();
  }
}

/** Kills the runner somewhere. What is on disk is whole and right; the next run records the rest. */
async function killOnce(
  suite: Suite,
  random: Random,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const child = suite.start([], { WORD: 'one' });
  const isEnded = ended(child as never);
  await Promise.race([pause(random.below(4000)), isEnded]);
  child.kill('SIGKILL');
  await isEnded;
  // Its server ends by itself.
  await pause(500);
  for (const [name, asked] of Object.entries(suite.tapes()))
    assert.deepEqual(asked, expected[name], `${name} after a kill`);
}

async function main([count = '200', seed = String(Date.now() % 1e9)]: readonly string[]): Promise<void> {
  const python = await suitePython();
  let failed = 0;
  for (let at = 0; at < Number(count); at += 1) {
    try {
      await checkSuite(python, runSeed(Number(seed), 'suites', at));
    } catch (error) {
      failed += 1;
      console.error(`suite ${at} of seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
  }
  console.log(`${count} suites of seed ${seed}: ${failed} are not as the model says`);
  process.exitCode = failed === 0 ? 0 : 1;
}

if (process.argv[1] === __filename) void main(process.argv.slice(2));
