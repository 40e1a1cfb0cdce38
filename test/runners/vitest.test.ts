import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildEngine, type Ended, ended, inProject, type TestProject } from '../harness/builtEngine';
import { completion, sendJson, serve, type TestServer } from '../harness/support';

const run = promisify(execFile);
const PROJECT = join(__dirname, '../..');
const RUNNERS = join(PROJECT, 'src/runners/javascript');
const PACKAGES = ['vitest@4.1.12', 'openai@6'];
const INSTALL_TIMEOUT = 300_000;

const ASK = `import OpenAI from 'openai';
import http from 'node:http';
import { execFileSync } from 'node:child_process';
const MODULE_CLIENT = new OpenAI({ apiKey: 'k', maxRetries: 0 });
const UPSTREAM = process.env.OPENAI_BASE_URL;
const WORD = process.env.WORD ?? 'France';
const messages = (content) => ({ model: 'm', messages: [{ role: 'user', content }] });
const ask = async (content, client = new OpenAI({ maxRetries: 0 })) => (await client.chat.completions.create(messages(content))).choices[0].message.content;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const byHttp = (content) => new Promise((done, fail) => {
  const request = http.request(UPSTREAM + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
    let text = '';
    response.on('data', (part) => { text += part; });
    response.on('end', () => (response.statusCode === 200 ? done(JSON.parse(text).choices[0].message.content) : fail(new Error(text))));
  });
  request.on('error', fail);
  request.end(JSON.stringify(messages(content)));
});
`;
const SUITE = `import { describe, expect, it } from 'vitest';
${ASK}
describe('orders', () => {
  it('asks', async () => { expect(await ask('one')).toContain('one'); });
  it('asks twice', async () => { await ask('x'); expect(await ask('y')).toContain('y'); });
  it('by the client of the module', async () => { expect(await ask('module', MODULE_CLIENT)).toContain('module'); });
  it('by http', async () => { expect(await byHttp('http')).toContain('http'); });
  it('word', async () => { expect(await ask('The capital of ' + WORD)).toContain(WORD); });
  it('swallowed', async () => { await ask('swallowed ' + WORD).catch(() => undefined); });
  it('asks nothing', () => { expect(1).toBe(1); });
  for (const name of ['c1', 'c2', 'c3'])
    it.concurrent(name, async () => { for (const part of ['a', 'b']) { await pause(Math.random() * 10); expect(await ask(name + part, MODULE_CLIENT)).toContain(name + part); } });
});
`;
const TAPES = 9;
const CONFIG = `import { tapedeck } from '@tapedeck/cli/vitest';
export default { plugins: [tapedeck()], test: { include: ['*.test.mjs'] } };
`;

describe('Vitest and node:test with Tapedeck', () => {
  const home = join(PROJECT, '.vscode-test/node/runners');
  before(async function () {
    buildEngine.call(this);
    this.timeout(INSTALL_TIMEOUT);
    const installed = join(home, 'installed.json');
    if (existsSync(installed)) return;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"private": true}');
    try {
      await run('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: home, timeout: INSTALL_TIMEOUT });
    } catch (error) {
      throw new Error(`NOT TESTED: ${PACKAGES.join(' and ')} cannot be installed: ${error}`);
    }
    writeFileSync(installed, JSON.stringify(PACKAGES));
  });

  /** A project in which the package of the command line is installed as it is in the source. */
  const inSuite = async (
    files: Readonly<Record<string, string>>,
    test: (project: TestProject, upstream: TestServer, env: Record<string, string>) => Promise<void>,
  ): Promise<void> => {
    const upstream = await serve((response, { body }) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
      sendJson(response, 200, completion(`answer to ${messages.at(-1)?.content}`));
    });
    const exports = { './vitest': './runners/vitest.mjs', './node-test': './runners/nodeTest.mjs' };
    const manifest = JSON.stringify({ name: '@tapedeck/cli', version: '0.0.0', exports });
    try {
      const all = { 'tapedeck.toml': '', 'package.json': '{"private":true,"type":"module"}', ...files };
      await inProject({ ...all, 'node_modules/@tapedeck/cli/package.json': manifest }, async (project) => {
        for (const name of readdirSync(join(home, 'node_modules')))
          if (!name.startsWith('.'))
            symlinkSync(join(home, 'node_modules', name), project.path(`node_modules/${name}`));
        symlinkSync(RUNNERS, project.path('node_modules/@tapedeck/cli/runners'));
        await test(project, upstream, { OPENAI_BASE_URL: upstream.baseUrl });
      });
    } finally {
      await upstream.close();
    }
  };
  const node = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    const { PATH = '', HOME = '' } = process.env;
    const own = {
      PATH,
      HOME,
      NO_COLOR: '1',
      TAPEDECK_ENGINE: join(PROJECT, 'dist/engine.js'),
      OPENAI_API_KEY: 'sk-of-the-user-1234567890',
    };
    return ended(spawn(process.execPath, args, { cwd: project.root, env: { ...own, ...env }, stdio: 'pipe' }));
  };
  const vitest = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Ended> => node(project, [join(home, 'node_modules/vitest/vitest.mjs'), 'run', ...args], env);
  const tapes = (project: TestProject, file = 'a.test.mjs'): readonly string[] =>
    project.has(`__tapes__/${file}`) ? readdirSync(project.path(`__tapes__/${file}`)).sort() : [];
  const GONE = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', CI: '1' };

  it('records each test once, and replays it to that test alone: also those that run at the same time', () =>
    inSuite({ 'a.test.mjs': SUITE, 'vitest.config.mjs': CONFIG }, async (project, upstream, env) => {
      const recorded = await vitest(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.equal(tapes(project).length, TAPES, tapes(project).join());
      assert.ok(tapes(project).includes('orders-asks.tape.jsonl'));
      const concurrent = await project.read('__tapes__/a.test.mjs/orders-c2.tape.jsonl');
      assert.match(concurrent, /"test":"orders c2"[\s\S]*c2a[\s\S]*c2b/);
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
      assert.match(stdout, /2 failed \| 8 passed/);
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
