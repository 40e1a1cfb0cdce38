import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { buildEngine, type Ended, type TestProject } from '../harness/builtEngine';
import { ASK, GONE, INSTALL_TIMEOUT, type JavascriptPeer } from '../harness/javascriptPeer';
import { javascriptWith } from '../harness/peers';

/** As Jest loads it: CommonJS. */
const SUITE = `${ASK.replace(/import (\{?.*\}?) from '(.*)';/g, "const $1 = require('$2');")}
describe('orders', () => {
  beforeEach(async () => { if (expect.getState().currentTestName.endsWith('hook')) await ask('in the hook'); });
  it('asks', async () => { expect(await ask('one')).toContain('one'); });
  it('asks twice', async () => { await ask('x'); expect(await ask('y')).toContain('y'); });
  it('by the client of the module', async () => { expect(await ask('module', MODULE_CLIENT)).toContain('module'); });
  it('by http', async () => { expect(await byHttp('http')).toContain('http'); });
  it('with a hook', async () => { expect(await ask('after the hook')).toContain('hook'); });
  it('by a program', () => {
    const code = "fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'program' }] }) }).then(async (r) => console.log(await r.text()))";
    expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })).toContain('answer to program');
  });
  it('word', async () => { expect(await ask('The capital of ' + WORD)).toContain(WORD); });
  it('swallowed', async () => { await ask('swallowed ' + WORD).catch(() => undefined); });
  it('asks nothing', () => { expect(1).toBe(1); });
  it.failing('is known to fail', async () => { expect(await ask('known')).toBe('never'); });
  it.skip('is skipped', async () => { await ask('skipped'); });
  for (const name of ['c1', 'c2', 'c3'])
    it.concurrent(name, async () => { for (const part of ['a', 'b']) { await pause(Math.random() * 10); expect(await ask(name + part, MODULE_CLIENT)).toContain(name + part); } });
});
`;
const TAPES = 12;
const CONFIG = `import { tapedeck } from '@tapedeck/cli/jest';
export default tapedeck({ testMatch: ['**/*.test.cjs'] });
`;

describe('Jest with Tapedeck', () => {
  let peer: JavascriptPeer;
  before(async function () {
    buildEngine.call(this);
    this.timeout(INSTALL_TIMEOUT);
    peer = await javascriptWith('jest');
  });
  const jest = (project: TestProject, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
    peer.node(project, [peer.file('jest/bin/jest.js'), ...args], env);
  const tapes = (project: TestProject, file = 'a.test.cjs'): readonly string[] =>
    project.has(`__tapes__/${file}`) ? readdirSync(project.path(`__tapes__/${file}`)).sort() : [];
  const FILES = { 'a.test.cjs': SUITE, 'jest.config.mjs': CONFIG };

  it('records each test once, and replays it to that test alone: also those that run at the same time', () =>
    peer.inSuite(FILES, async (project, upstream, env) => {
      const recorded = await jest(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.equal(tapes(project).length, TAPES, tapes(project).join());
      const concurrent = await project.read('__tapes__/a.test.cjs/orders-c2.tape.jsonl');
      assert.match(concurrent, /"test":"a\.test\.cjs::orders > c2"[\s\S]*c2a[\s\S]*c2b/);
      assert.doesNotMatch(concurrent, /c[13][ab]|sk-of-the-user/);
      assert.match(
        await project.read('__tapes__/a.test.cjs/orders-with-a-hook.tape.jsonl'),
        /in the hook[\s\S]*after the hook/,
      );
      const asked = upstream.requests.length;
      await project.write('b.test.cjs', SUITE);
      await project.write('__tapes__/b.test.cjs/.keep', '');
      for (const name of tapes(project))
        await project.write(`__tapes__/b.test.cjs/${name}`, await project.read(`__tapes__/a.test.cjs/${name}`));
      for (const args of [['--runInBand'], ['--maxWorkers=2']]) {
        const replayed = await jest(project, args, GONE);
        assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      }
      assert.equal(upstream.requests.length, asked);
    }));

  it('fails just the tests whose words changed, swallowed or not, and -u records them again', () =>
    peer.inSuite(FILES, async (project, _, env) => {
      await jest(project, [], env);
      const before = await project.read('__tapes__/a.test.cjs/orders-asks.tape.jsonl');
      const { code, stderr } = await jest(project, [], { ...GONE, WORD: 'Italy' });
      assert.equal(code, 1);
      assert.match(stderr, /Tests: +2 failed, 1 skipped, 11 passed/);
      assert.match(
        stderr,
        /● orders › word\n\n +(?:TapedeckDrift: )?Tapedeck: the request is not on __tapes__\/a\.test\.cjs\/orders-word\.tape\.jsonl/,
      );
      assert.match(stderr, /● orders › swallowed\n\n +(?:TapedeckDrift: )?Tapedeck: the request is not on/);
      assert.match(stderr, /\[-France-\]\{\+Italy\+\}/);
      assert.match(stderr, /Record it again: jest -u -t "orders word"/);
      const again = await jest(project, ['-u', '-t', 'orders word'], { ...env, WORD: 'Italy' });
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.match(await project.read('__tapes__/a.test.cjs/orders-word.tape.jsonl'), /Italy/);
      assert.equal(await project.read('__tapes__/a.test.cjs/orders-asks.tape.jsonl'), before);
    }));

  it('keeps the old tape of a test that is rewritten and fails, and takes the one of its retry', () =>
    peer.inSuite(
      {
        'jest.config.mjs': CONFIG,
        'a.test.cjs': `${SUITE.slice(0, SUITE.indexOf('describe('))}
let tries = 0;
jest.retryTimes(1);
it('fails', async () => { await ask('one ' + WORD); if (process.env.FAILS) throw new Error('no'); });
it('is tried again', async () => { tries += 1; await ask('try ' + tries); if (tries === 1) throw new Error('no'); });
`,
      },
      async (project, _, env) => {
        assert.equal((await jest(project, [], env)).code, 0);
        assert.match(await project.read('__tapes__/a.test.cjs/is-tried-again.tape.jsonl'), /try 2/);
        assert.doesNotMatch(await project.read('__tapes__/a.test.cjs/is-tried-again.tape.jsonl'), /try 1/);
        const before = await project.read('__tapes__/a.test.cjs/fails.tape.jsonl');
        assert.equal((await jest(project, ['-u'], { ...env, FAILS: '1', WORD: 'Italy' })).code, 1);
        assert.equal(await project.read('__tapes__/a.test.cjs/fails.tape.jsonl'), before);
        assert.match((await project.engine(['recover'])).stdout, /fails\.tape\.jsonl/);
      },
    ));

  it('leaves a globalSetup of the suite as it is, and is off where it is told to be', () =>
    peer.inSuite(
      {
        ...FILES,
        'setup.mjs': "export default () => { process.env.WORD = 'Malta'; };",
        'jest.config.mjs': CONFIG.replace('tapedeck({', "tapedeck({ globalSetup: './setup.mjs',"),
      },
      async (project, _, env) => {
        const off = await jest(project, [], { ...env, TAPEDECK_MODE: 'off' });
        assert.equal(off.code, 0, off.stderr);
        assert.deepEqual(tapes(project), []);
        const recorded = await jest(project, [], env);
        assert.equal(recorded.code, 0, recorded.stderr);
        assert.match(await project.read('__tapes__/a.test.cjs/orders-word.tape.jsonl'), /Malta/);
        assert.equal((await jest(project, [], GONE)).code, 0);
      },
    ));
});
