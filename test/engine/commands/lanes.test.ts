import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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
const TAPE = ['--tape', 'tapes/{lane}.tape.jsonl'];
const ALL = ['a', 'b', 'path', 'name', 'none'];

async function withRunner(test: (project: TestProject, env: Record<string, string>) => Promise<void>): Promise<void> {
  const answers: Handler = (response, _, count) => sendJson(response, 200, completion(`answer ${count}`));
  const server = await serve(answers);
  try {
    await inProject({ 'runner.mjs': RUNNER, 'tapedeck.toml': '' }, async (project) => {
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

  it('stays where its pattern says, whatever a test calls itself, and is not recorded once', () =>
    withRunner(async (project, env) => {
      const recorded = await exec(project, ['--record'], ['out'], env);
      assert.equal(recorded.code, 0, recorded.stderr);
      assert.match(tapes(project).join(), /^_[\w.-]*evil-[0-9a-f]{8}\.tape\.jsonl$/);
      assert.equal(project.has('../evil.tape.jsonl'), false);
      const once = await exec(project, ['--once'], ['a'], env);
      assert.equal(once.code, 2);
      assert.match(once.stderr, /once cannot be combined with \{lane\}/);
    }));
});
