import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { buildEngine, type Ended, type TestProject } from '../harness/builtEngine';
import { ASK, GONE, INSTALL_TIMEOUT, type JavascriptPeer } from '../harness/javascriptPeer';
import { javascriptWith } from '../harness/peers';

const SUITE = `import { expect, test } from '@tapedeck/cli/playwright';
import { spawn } from 'node:child_process';
${ASK}
test.describe.configure({ mode: 'parallel' });
test.describe('orders', () => {
  test.beforeEach(async ({}, info) => { if (info.title.endsWith('hook')) await ask('in the hook'); });
  test('asks', async () => { expect(await ask('one')).toContain('one'); });
  test('by the client of the module', async () => { expect(await ask('module', MODULE_CLIENT)).toContain('module'); });
  test('by http', async () => { expect(await byHttp('http')).toContain('http'); });
  test('with a hook', async () => { expect(await ask('after the hook')).toContain('hook'); });
  test('word', async () => { expect(await ask('The capital of ' + WORD)).toContain(WORD); });
  test('swallowed', async () => { await ask('swallowed ' + WORD).catch(() => undefined); });
  test('asks nothing', () => { expect(1).toBe(1); });
  test.fail('is known to fail', async () => { expect(await ask('known')).toBe('never'); });
  test.skip('is skipped', async () => { await ask('skipped'); });
  test('a server that it starts', async ({ tapedeck, request }) => {
    const server = spawn(process.execPath, ['shop.mjs'], { env: { ...process.env, ...tapedeck?.variables }, stdio: 'pipe' });
    const port = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
    expect(await (await request.get('http://127.0.0.1:' + port)).text()).toContain('answer to shop');
    server.kill();
  });
});
`;
const SHOP = `import http from 'node:http';
http.createServer(async (_, response) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'shop' }] });
  const asked = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  response.end(await asked.text());
}).listen(0, '127.0.0.1', function () { console.log(String(this.address().port)); });
`;
const TAPES = 8;
const CONFIG = `export default { testMatch: '*.spec.mjs', workers: 2, reporter: 'line' };
`;

describe('Playwright with Tapedeck', () => {
  let peer: JavascriptPeer;
  before(async function () {
    buildEngine.call(this);
    this.timeout(INSTALL_TIMEOUT);
    peer = await javascriptWith('playwright');
  });
  const playwright = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Ended> => peer.node(project, [peer.file('@playwright/test/cli.js'), 'test', ...args], env);
  const tapes = (project: TestProject): readonly string[] =>
    project.has('__tapes__/a.spec.mjs') ? readdirSync(project.path('__tapes__/a.spec.mjs')).sort() : [];
  const FILES = { 'a.spec.mjs': SUITE, 'shop.mjs': SHOP, 'playwright.config.mjs': CONFIG };

  it('records each test once, and replays it to that test alone, in several workers', () =>
    peer.inSuite(FILES, async (project, upstream, env) => {
      const recorded = await playwright(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.equal(tapes(project).length, TAPES, tapes(project).join());
      const hook = await project.read('__tapes__/a.spec.mjs/orders-with-a-hook.tape.jsonl');
      assert.match(hook, /"test":"a\.spec\.mjs::orders > with a hook"[\s\S]*in the hook[\s\S]*after the hook/);
      assert.doesNotMatch(hook, /sk-of-the-user/);
      assert.match(await project.read('__tapes__/a.spec.mjs/orders-a-server-that-it-starts.tape.jsonl'), /"shop"/);
      const asked = upstream.requests.length;
      const replayed = await playwright(project, [], GONE);
      assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      assert.equal(upstream.requests.length, asked);
      const off = await playwright(project, [], { ...env, TAPEDECK_MODE: 'off' });
      assert.equal(off.code, 0, off.stdout + off.stderr);
      assert.ok(upstream.requests.length > asked);
    }));

  it('fails just the tests whose words changed, swallowed or not, and -u records them again', () =>
    peer.inSuite(FILES, async (project, _, env) => {
      await playwright(project, [], env);
      const before = await project.read('__tapes__/a.spec.mjs/orders-asks.tape.jsonl');
      const { code, stdout } = await playwright(project, [], { ...GONE, WORD: 'Italy' });
      assert.equal(code, 1);
      assert.match(stdout, /2 failed[\s\S]*1 skipped[\s\S]*7 passed/);
      assert.match(
        stdout,
        /orders › word[^\n]*\n\n +TapedeckDrift: Tapedeck: the request is not on __tapes__\/a\.spec\.mjs\/orders-word\.tape\.jsonl/,
      );
      assert.match(stdout, /orders › swallowed[^\n]*\n\n +TapedeckDrift: Tapedeck: the request is not on/);
      assert.match(stdout, /\[-France-\]\{\+Italy\+\}/);
      assert.match(stdout, /Record it again: playwright test -u -g "orders word"/);
      const again = await playwright(project, ['-u', '-g', 'orders word'], { ...env, WORD: 'Italy' });
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.match(await project.read('__tapes__/a.spec.mjs/orders-word.tape.jsonl'), /Italy/);
      assert.equal(await project.read('__tapes__/a.spec.mjs/orders-asks.tape.jsonl'), before);
      await project.write(
        'a.spec.mjs',
        SUITE.replace("ask('one')).toContain('one')", "ask('other')).toContain('never')"),
      );
      assert.equal((await playwright(project, ['-u', '-g', 'orders asks'], env)).code, 1);
      assert.equal(
        await project.read('__tapes__/a.spec.mjs/orders-asks.tape.jsonl'),
        before,
        'a failing test keeps it',
      );
    }));
});
