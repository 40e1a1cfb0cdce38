import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RecoverDocument } from '../../../src/engine/reporters/jsonDocuments';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { completion, type Handler, sendJson, serve } from '../../harness/support';

/** A test runner whose tests ask at the same time: each by its name in a header, one by a segment of the address, one without a name. */
const RUNNER = `const [,, ...wanted] = process.argv;
const ask = async (lane, text) => {
  const base = process.env.OPENAI_BASE_URL;
  const byPath = lane === 'by-path';
  const url = byPath ? base.replace(/\\/openai(?=\\/|$)/, '/~by-path/openai') : base;
  const headers = { 'content-type': 'application/json', ...(lane && !byPath && { 'x-test-id': lane }) };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] });
  const response = await fetch(url + '/chat/completions', { method: 'POST', headers, body });
  return [lane ?? '', response.status, (await response.json()).choices?.[0].message.content].join(' ');
};
const tests = { 'a': ['a', 'same'], 'b': ['b', 'same'], 'path': ['by-path', 'same'], 'name': ['cart > adds / one', 'other'], 'none': [undefined, 'same'], 'more': ['a', 'more'], 'out': ['../../evil', 'out'] };
const said = await Promise.all(Object.keys(tests).filter((name) => wanted.includes(name)).map((name) => ask(...tests[name])));
console.log(said.join('\\n'));
if (said.some((line) => !line.includes(' 200 '))) process.exit(9);
`;
/** A test runner that says how its tests ended: `LANE=OUTCOME…`, one after another; without an outcome, a test is not ended. */
const ENDING_RUNNER = `const ask = async (lane, text) => {
  const headers = { 'content-type': 'application/json', 'x-test-id': lane };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] });
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(await response.text());
};
for (const [at, test] of process.argv.slice(2).entries()) {
  const [lane, outcome] = test.split('=');
  await ask(lane, 'first of ' + lane);
  await ask(lane, 'attempt ' + (process.env.ATTEMPT ?? at));
  if (!outcome) continue;
  const url = process.env.TAPEDECK_PROXY + '/~' + encodeURIComponent(lane) + '?outcome=' + outcome;
  const ended = await fetch(url, { method: 'DELETE' });
  console.log(lane, ended.status, await ended.text());
}
if (process.env.KILLED) process.kill(process.pid, 'SIGKILL');
process.exit(Number(process.env.EXIT ?? 0));
`;
const TAPE = ['--tape', 'tapes/{lane}.tape.jsonl'];
const ALL = ['a', 'b', 'path', 'name', 'none'];

async function withRunner(test: (project: TestProject, env: Record<string, string>) => Promise<void>): Promise<void> {
  const answers: Handler = (response, _, count) => sendJson(response, 200, completion(`answer ${count}`));
  const server = await serve(answers);
  try {
    await inProject({ 'runner.mjs': RUNNER, 'ending.mjs': ENDING_RUNNER, 'tapedeck.toml': '' }, async (project) => {
      const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k' };
      await test(project, env);
    });
  } finally {
    await server.close();
  }
}

const exec = (project: TestProject, options: readonly string[], tests: readonly string[], env = {}) =>
  project.engine(['exec', ...TAPE, ...options, '--', 'node', 'runner.mjs', ...tests], env);

describe('a tape for each lane', () => {
  before(buildEngine);

  const tapes = (project: TestProject): readonly string[] => readdirSync(project.path('tapes')).sort();

  it('is recorded for each test that runs, and replayed to that test alone', () =>
    withRunner(async (project, env) => {
      const recorded = await exec(project, ['--record'], ALL, env);
      assert.equal(recorded.code, 0, recorded.stderr);
      const [named = '', ...plain] = [...tapes(project)].sort((left, right) => right.length - left.length);
      assert.match(named, /^cart_adds_one-[0-9a-f]{8}\.tape\.jsonl$/);
      assert.deepEqual(
        plain.sort(),
        ['a', 'b', 'by-path', 'main'].map((name) => `${name}.tape.jsonl`),
      );
      const again = await exec(project, [], [...ALL].reverse());
      assert.deepEqual([again.code, again.stdout], [0, recorded.stdout], again.stderr);
      assert.match(again.stderr, /replay: 5 exact/);
      // A test alone needs its tape alone.
      await rm(project.path('tapes/b.tape.jsonl'));
      const one = await exec(project, ['--fail-on-unused'], ['a']);
      assert.deepEqual([one.code, one.stdout], [0, `${recorded.stdout.split('\n')[0] ?? ''}\n`], one.stderr);
      const two = await exec(project, [], ['a', 'b']);
      assert.equal(two.code, 4);
      assert.match(two.stderr, /request 1: missing\n.*b\.tape\.jsonl/);
    }));

  it('gets what only its test asks anew, and tells of what its test no longer asks', () =>
    withRunner(async (project, env) => {
      await exec(project, ['--record'], ['a', 'b'], env);
      const before = await project.read('tapes/b.tape.jsonl');
      const more = await exec(project, ['--auto'], ['a', 'b', 'more'], env);
      assert.equal(more.code, 0, more.stderr);
      assert.equal(await project.read('tapes/b.tape.jsonl'), before);
      assert.match(await project.read('tapes/a.tape.jsonl'), /same.*more/s);
      const unused = await exec(project, ['--fail-on-unused'], ['a', 'b']);
      assert.equal(unused.code, 5);
      assert.match(unused.stderr, /a\.tape\.jsonl: 1 of 2 recordings unused: 2/);
    }));

  it('stays where its pattern says, whatever a test calls itself', () =>
    withRunner(async (project, env) => {
      const recorded = await exec(project, ['--record'], ['out'], env);
      assert.equal(recorded.code, 0, recorded.stderr);
      assert.match(tapes(project).join(), /^_[\w.-]*evil-[0-9a-f]{8}\.tape\.jsonl$/);
      assert.equal(project.has('../evil.tape.jsonl'), false);
    }));

  it('is recorded once: where there is none, and else it is replayed', () =>
    withRunner(async (project, env) => {
      await exec(project, ['--once'], ['a'], env);
      const before = await project.read('tapes/a.tape.jsonl');
      const more = await exec(project, ['--once'], ['a', 'b'], env);
      assert.equal(more.code, 0, more.stderr);
      assert.match(more.stderr, /1 exact, 1 recorded|1 recorded, 1 exact/);
      assert.equal(await project.read('tapes/a.tape.jsonl'), before);
      assert.deepEqual(tapes(project), ['a.tape.jsonl', 'b.tape.jsonl']);
      const drifted = await exec(project, ['--once'], ['a', 'more'], env);
      assert.equal(drifted.code, 4, drifted.stderr);
      const inCi = await exec(project, ['--once'], ['a', 'path'], { ...env, CI: '1' });
      assert.equal(inCi.code, 4, inCi.stderr);
      assert.deepEqual(tapes(project), ['a.tape.jsonl', 'b.tape.jsonl']);
    }));

  const end = (project: TestProject, options: readonly string[], tests: readonly string[], env = {}) =>
    project.engine(['exec', ...TAPE, ...options, '--', 'node', 'ending.mjs', ...tests], env);
  const waiting = async (project: TestProject) => {
    const { stdout } = await project.cli(['recover', '--json']);
    const { recordings } = JSON.parse(stdout) as RecoverDocument;
    return recordings.map(({ tape, interactions, failed }) => [tape, interactions, failed]);
  };

  for (const mode of ['--record', '--auto'])
    it(`keeps those of passed tests where another one fails, and offers the rest: ${mode}`, () =>
      withRunner(async (project, env) => {
        const tests = ['a=passed', 'b[1]=failed', 'c=skipped', 'd'];
        const { code, stdout, stderr } = await end(project, [mode], tests, { ...env, EXIT: '1' });
        assert.equal(code, 1, stderr);
        assert.match(stdout, /^a 200 {"mode":"(?:record|auto)","requests":2,"recorded":2,/m);
        assert.deepEqual(tapes(project), ['a.tape.jsonl']);
        assert.match(stderr, /a\.tape\.jsonl now has 2 interactions/);
        assert.match(stderr, /3 tapes are unchanged/);
        const kept = await waiting(project);
        assert.deepEqual(
          kept.map(([, ...rest]) => rest),
          Array(3).fill([2, true]),
        );
        const next = await exec(project, [], ['a']);
        assert.match(next.stderr, /3 recordings of failed runs kept. To list, save, or discard: tapedeck recover$/m);
        const saved = await project.cli(['recover', '--save']);
        assert.equal(saved.code, 0, saved.stderr);
        assert.equal(tapes(project).length, 4);
        assert.deepEqual(await waiting(project), []);
      }));

  it('keep all that a run recorded which fails, or is killed, before its tests have ended', () =>
    withRunner(async (project, env) => {
      const failed = await end(project, ['--record'], ['a', 'b'], { ...env, EXIT: '1' });
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /To save the tapes of tests that pass, end their lanes/);
      const killed = await end(project, ['--record'], ['c=passed', 'd'], { ...env, KILLED: '1' });
      assert.match(killed.stderr, /terminated by SIGKILL/);
      assert.deepEqual(tapes(project), ['c.tape.jsonl']);
      assert.deepEqual(
        (await waiting(project)).map(([tape]) => tape),
        ['a', 'b', 'd'].map((name) => `tapes/${name}.tape.jsonl`),
      );
    }));

  it('forget a failed attempt once the test passes, and add what is asked after its end', () =>
    withRunner(async (project, env) => {
      await end(project, ['--record'], ['a=failed'], { ...env, EXIT: '1' });
      assert.equal((await waiting(project)).length, 1);
      const { code, stderr } = await end(project, ['--record'], ['a=failed', 'a=passed', 'a'], env);
      assert.equal(code, 0, stderr);
      assert.deepEqual(await waiting(project), []);
      assert.doesNotMatch(stderr, /unchanged/);
      const tape = await project.read('tapes/a.tape.jsonl');
      assert.equal(tape.match(/^\{"request":/gm)?.length, 3, tape);
      assert.match(tape, /attempt 1[\s\S]*attempt 2/);
    }));

  it('are told to a runner also in a replay, and where all share one', () =>
    withRunner(async (project, env) => {
      await end(project, ['--record'], ['a=passed'], { ...env, ATTEMPT: '0' });
      const replayed = await end(project, ['--fail-on-unused'], ['a=passed'], { ATTEMPT: '0' });
      const said =
        'a 200 {"mode":"replay","requests":2,"recorded":0,"verdicts":{"exact":2},"failures":[],"unused":[]}\n';
      assert.deepEqual([replayed.code, replayed.stdout], [0, said], replayed.stderr);
      const shared = [
        'exec',
        '--record',
        '--tape',
        'one.tape.jsonl',
        '--',
        'node',
        'ending.mjs',
        'a=passed',
        'b=failed',
      ];
      const { code, stdout } = await project.engine(shared, env);
      assert.deepEqual([code, stdout], [0, 'a 204 \nb 204 \n']);
      const unknown = await end(project, [], ['a=green'], { ATTEMPT: '0' });
      assert.match(unknown.stdout, /a 400 .*outcome=passed, failed, skipped/);
    }));

  it('say which could not be written, to the test and at the end, and lose no other', () =>
    withRunner(async (project, env) => {
      const breaking = `${ENDING_RUNNER.replace(
        'if (!outcome) continue;',
        "if (lane === 'b' || lane === 'd') mkdirSync('tapes/' + lane + '.tape.jsonl', { recursive: true });\nif (!outcome) continue;",
      )}`;
      await project.write('ending.mjs', `import { mkdirSync } from 'node:fs';\n${breaking}`);
      const { code, stdout, stderr } = await end(
        project,
        ['--record'],
        ['a=passed', 'b=passed', 'c=passed', 'd', 'e'],
        env,
      );
      assert.equal(code, 2, stderr);
      assert.match(stdout, /^a 200 .*\nb 409 .*b\.tape\.jsonl.*\nc 200 /);
      const isFile = (name: string): boolean => statSync(project.path(`tapes/${name}`)).isFile();
      assert.deepEqual(
        tapes(project).filter(isFile),
        ['a', 'c', 'e'].map((name) => `${name}.tape.jsonl`),
      );
      assert.equal((await waiting(project)).length, 2);
    }));
});
