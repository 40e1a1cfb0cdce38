import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { buildEngine, type Ended, type TestProject } from '../harness/builtEngine';
import { ASK, GONE, INSTALL_TIMEOUT, type JavascriptPeer } from '../harness/javascriptPeer';
import { javascriptWith } from '../harness/peers';

const SUITE = `import { describe, expect, it } from 'vitest';
import { request } from 'undici';
${ASK}
const byUndici = async (content) => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(messages(content)) };
  return (await (await request(UPSTREAM + '/chat/completions', asked)).body.json()).choices[0].message.content;
};
describe('orders', () => {
  it('asks', async () => { expect(await ask('one')).toContain('one'); });
  it('asks twice', async () => { await ask('x'); expect(await ask('y')).toContain('y'); });
  it('by the client of the module', async () => { expect(await ask('module', MODULE_CLIENT)).toContain('module'); });
  it('by http', async () => { expect(await byHttp('http')).toContain('http'); });
  it('by undici', async () => { expect(await byUndici('undici')).toContain('undici'); });
  it('word', async () => { expect(await ask('The capital of ' + WORD)).toContain(WORD); });
  it('swallowed', async () => { await ask('swallowed ' + WORD).catch(() => undefined); });
  it('asks nothing', () => { expect(1).toBe(1); });
  for (const name of ['c1', 'c2', 'c3'])
    it.concurrent(name, async () => { for (const part of ['a', 'b']) { await pause(Math.random() * 10); expect(await ask(name + part, MODULE_CLIENT)).toContain(name + part); } });
});
`;
const TAPES = 10;
const CONFIG = `import { tapedeck } from '@tapedeck/cli/vitest';
export default { plugins: [tapedeck()], test: { include: ['*.test.mjs'] } };
`;

describe('Vitest and node:test with Tapedeck', () => {
  let peer: JavascriptPeer;
  before(async function () {
    buildEngine.call(this);
    this.timeout(INSTALL_TIMEOUT);
    peer = await javascriptWith('runners');
  });
  const inSuite: JavascriptPeer['inSuite'] = (files, test) => peer.inSuite(files, test);
  const node: JavascriptPeer['node'] = (...given) => peer.node(...given);
  const vitest = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Ended> => node(project, [peer.file('vitest/vitest.mjs'), 'run', ...args], env);
  const tapes = (project: TestProject, file = 'a.test.mjs'): readonly string[] =>
    project.has(`__tapes__/${file}`) ? readdirSync(project.path(`__tapes__/${file}`)).sort() : [];

  it('records each test once, and replays it to that test alone: also those that run at the same time', () =>
    inSuite({ 'a.test.mjs': SUITE, 'vitest.config.mjs': CONFIG }, async (project, upstream, env) => {
      const recorded = await vitest(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.equal(tapes(project).length, TAPES, tapes(project).join());
      assert.ok(tapes(project).includes('orders-asks.tape.jsonl'));
      const concurrent = await project.read('__tapes__/a.test.mjs/orders-c2.tape.jsonl');
      assert.match(concurrent, /"test":"a\.test\.mjs::orders > c2"[\s\S]*c2a[\s\S]*c2b/);
      assert.doesNotMatch(concurrent, /c[13][ab]|sk-of-the-user/);
      const asked = upstream.requests.length;
      for (const pool of ['forks', 'threads']) {
        const replayed = await vitest(project, [`--pool=${pool}`], GONE);
        assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      }
      assert.equal(upstream.requests.length, asked);
    }));

  it('fails just the tests whose words changed, swallowed or not, and -u records them again', () =>
    inSuite({ 'a.test.mjs': SUITE, 'vitest.config.mjs': CONFIG }, async (project, _, env) => {
      await vitest(project, [], env);
      const before = await project.read('__tapes__/a.test.mjs/orders-asks.tape.jsonl');
      const { code, stdout, stderr } = await vitest(project, [], { ...GONE, WORD: 'Italy' });
      assert.equal(code, 1);
      assert.match(stdout, /2 failed \| 9 passed/);
      const shown = stderr + stdout;
      assert.match(
        shown,
        /FAIL {2}a\.test\.mjs > orders > word\n.*Tapedeck: the request is not on __tapes__\/a\.test\.mjs\/orders-word\.tape\.jsonl/,
      );
      assert.match(shown, /FAIL {2}a\.test\.mjs > orders > swallowed\n.*Tapedeck: the request is not on/);
      assert.match(shown, /\[-France-\]\{\+Italy\+\}/);
      assert.match(shown, /Record it again: vitest run -u -t "orders word"/);
      const again = await vitest(project, ['-u', '-t', 'orders word'], { ...env, WORD: 'Italy' });
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.match(await project.read('__tapes__/a.test.mjs/orders-word.tape.jsonl'), /Italy/);
      assert.equal(await project.read('__tapes__/a.test.mjs/orders-asks.tape.jsonl'), before);
    }));

  it('keeps the old tape of a test that is rewritten and fails', () =>
    inSuite({ 'a.test.mjs': SUITE, 'vitest.config.mjs': CONFIG }, async (project, _, env) => {
      await vitest(project, [], env);
      const before = await project.read('__tapes__/a.test.mjs/orders-asks.tape.jsonl');
      await project.write(
        'a.test.mjs',
        SUITE.replace("ask('one')).toContain('one')", "ask('one more')).toContain('never')"),
      );
      const failed = await vitest(project, ['-u'], env);
      assert.equal(failed.code, 1, failed.stdout);
      assert.equal(await project.read('__tapes__/a.test.mjs/orders-asks.tape.jsonl'), before);
      const { stdout } = await project.engine(['recover']);
      assert.match(stdout, /orders-asks\.tape\.jsonl/);
    }));

  it('records and replays tests of node:test', () =>
    inSuite(
      {
        'b.test.mjs': `import { describe, it, test } from '@tapedeck/cli/node-test';
import assert from 'node:assert/strict';
${ASK}
test('plain', async () => { assert.match(await ask('plain ' + WORD), /plain/); });
describe('orders', { concurrency: true }, () => {
  for (const name of ['c1', 'c2']) it(name, async () => { await pause(5); assert.match(await ask(name, MODULE_CLIENT), /c\\d/); });
});
`,
      },
      async (project, upstream, env) => {
        const recorded = await node(project, ['--test', 'b.test.mjs'], env);
        assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
        assert.equal(tapes(project, 'b.test.mjs').length, 3, tapes(project, 'b.test.mjs').join());
        const asked = upstream.requests.length;
        const replayed = await node(project, ['--test', 'b.test.mjs'], GONE);
        assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
        const drifted = await node(project, ['--test', 'b.test.mjs'], { ...GONE, WORD: 'Italy' });
        assert.equal(drifted.code, 1);
        assert.match(drifted.stdout, /Tapedeck: the request is not on __tapes__\/b\.test\.mjs\/plain\.tape\.jsonl/);
        assert.equal(upstream.requests.length, asked);
      },
    ));
});
