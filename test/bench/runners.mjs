#!/usr/bin/env node
// npm run bench -- runners   40 tests that ask a model, warm: pytest with pytest-tapedeck beside pytest-recording, and Vitest with the plugin
// beside the same tests that ask an upstream on this machine. Needs pip and npm once.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { require as load } from 'tsx/cjs/api';
import { ratios, report } from './rows.mjs';

const ROUNDS = 5;
const TESTS = 40;
const ENGINE = resolve('dist/engine.js');
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bench-runners-'));
const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'answer' }, finish_reason: 'stop' }] };

// In a thread of its own, because runs block this one.
const upstream = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
   const server = require('node:http').createServer((request, response) => {
     request.resume().on('end', () => { response.writeHead(200, { 'content-type': 'application/json' }); response.end(workerData); });
   }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
  { eval: true, workerData: JSON.stringify(body) },
);
const port = await new Promise((done) => upstream.once('message', done));
const OPENAI_BASE_URL = `http://127.0.0.1:${port}/v1`;

try {
  await pytest();
  await vitest();
} finally {
  await upstream.terminate();
  rmSync(folder, { recursive: true, force: true });
}

async function pytest() {
  const { pythonPeer } = load('../harness/pythonPeer.ts', import.meta.url);
  const base = ['pytest==9.2.0', 'requests==2.34.2'];
  const own = await peer(pythonPeer('benchTapedeck', base));
  const other = await peer(pythonPeer('benchRecording', [...base, 'pytest-recording==0.14.1']));
  const suite = (/** @type {string} */ mark) => `import os, pytest, requests
pytestmark = pytest.mark.${mark}
@pytest.mark.parametrize("n", range(${TESTS}))
def test_ask(n):
    body = {"model": "m", "messages": [{"role": "user", "content": f"question {n}"}]}
    response = requests.post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json=body, timeout=20)
    assert response.json()["choices"][0]["message"]["content"] == "answer"
`;
  const project = (/** @type {string} */ name, /** @type {string} */ mark) => {
    const root = join(folder, name);
    mkdirSync(root);
    writeFileSync(join(root, 'tapedeck.toml'), '');
    writeFileSync(join(root, 'pytest.ini'), '[pytest]\n');
    writeFileSync(join(root, 'test_ask.py'), suite(mark));
    return root;
  };
  const env = {
    PYTHONPATH: resolve('src/runners/python'),
    TAPEDECK_ENGINE: `${process.execPath} ${ENGINE}`,
    OPENAI_BASE_URL,
  };
  const tapedeck = (/** @type {string} */ mode) =>
    timed(
      own,
      ['-m', 'pytest', '-q', '-p', 'pytest_tapedeck.plugin', `--tapedeck=${mode}`],
      join(folder, 'tapedeck'),
      env,
    );
  const recording = (/** @type {string} */ mode) =>
    timed(other, ['-m', 'pytest', '-q', `--record-mode=${mode}`], join(folder, 'recording'), { OPENAI_BASE_URL });
  project('tapedeck', 'tapedeck');
  project('recording', 'vcr');
  tapedeck('once');
  recording('once');
  const [first, second] = rounds(
    () => tapedeck('none'),
    () => recording('none'),
  );
  report({
    what: `${TESTS} tests of pytest, replayed`,
    of: 'pytest-recording',
    values: ratios(first, second),
    asked: 1,
  });
}

async function vitest() {
  const { javascriptWith } = load('../harness/peers.ts', import.meta.url);
  const packages = await javascriptWith('runners');
  const suite = `import { expect, it } from 'vitest';
for (let n = 0; n < ${TESTS}; n += 1)
  it('asks ' + n, async () => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'question ' + n }] });
    const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect((await answer.json()).choices[0].message.content).toBe('answer');
  });
`;
  const root = join(folder, 'vitest');
  mkdirSync(join(root, 'node_modules/@tapedeck/cli'), { recursive: true });
  symlinkSync(packages.file('vitest'), join(root, 'node_modules/vitest'));
  cpSync('src/runners/javascript', join(root, 'node_modules/@tapedeck/cli/runners'), { recursive: true });
  const manifest = { name: '@tapedeck/cli', version: '0.0.0', exports: { './vitest': './runners/vitest.mjs' } };
  writeFileSync(join(root, 'node_modules/@tapedeck/cli/package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(root, 'tapedeck.toml'), '');
  writeFileSync(join(root, 'a.test.mjs'), suite);
  const config = (/** @type {string} */ plugins) =>
    `export default { plugins: [${plugins}], test: { include: ['*.test.mjs'] } };\n`;
  writeFileSync(join(root, 'with.mjs'), `import { tapedeck } from '@tapedeck/cli/vitest';\n${config('tapedeck()')}`);
  writeFileSync(join(root, 'without.mjs'), config(''));
  const run = (/** @type {string} */ name, /** @type {Record<string, string>} */ more = {}) =>
    timed(process.execPath, [packages.file('vitest/vitest.mjs'), 'run', '--config', `${name}.mjs`], root, {
      TAPEDECK_ENGINE: ENGINE,
      OPENAI_BASE_URL,
      ...more,
    });
  run('with');
  run('without');
  const [first, second] = rounds(
    () => run('with', { CI: '1' }),
    () => run('without', { CI: '1' }),
  );
  report({ what: `${TESTS} tests of Vitest, replayed`, of: 'no plugin', values: ratios(first, second), asked: 1.1 });
}

/** Both in turn, so that what else the machine does falls on both. @param {() => number} one @param {() => number} other */
function rounds(one, other) {
  /** @type {[number[], number[]]} */
  const taken = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    taken[0].push(one());
    taken[1].push(other());
  }
  return taken;
}

/** In milliseconds. @param {string} program @param {readonly string[]} args @param {string} cwd @param {Record<string, string>} env */
function timed(program, args, cwd, env) {
  const { PATH = '', HOME = '' } = process.env;
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: { PATH, HOME, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return performance.now() - start;
}

/** @param {Promise<{ python: string } | { missing: string }>} found */
async function peer(found) {
  const one = await found;
  if ('missing' in one) throw new Error(`NOT MEASURED: ${one.missing}`);
  return one.python;
}
