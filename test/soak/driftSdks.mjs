#!/usr/bin/env node
// node test/soak/driftSdks.mjs [PYTHON]   Drifts sent by the real SDKs, of JavaScript and (with a PYTHON that has openai, anthropic,
// google-genai, boto3, cohere, ollama, and mistralai) of Python, through serve, exec, a case with a command, and --auto: the same requests
// are served; a changed prompt or model is refused, and the SDK's own error says what changed.
// ONLY=Python or ONLY=JavaScript for one of them. Build the engine first.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startUpstream } from './drifts/upstream.mjs';

const ENGINE = resolve('dist/engine.js');
const PYTHON = process.argv[2];
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-sdks-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
const upstream = await startUpstream();
const APIS = ['anthropic', 'gemini', 'ollama', 'cohere', 'bedrock', 'mistral', 'azure'];
const upstreams = [...APIS.map((api) => `${api}=${upstream.url}`), `openai=${upstream.url}/v1`].flatMap((text) => [
  '--upstream',
  text,
]);
/** What an SDK's error has to say. @type {Record<string, RegExp>} */
const SAYS = { text: /harbour.*market|market.*harbour/, model: /model: \S+ → \S+-2099|model: "\S+" → "\S+-2099"/ };
/** A recording needs keys, a replay has stand-ins. */
const AWS_KEYS = { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };
const failures = /** @type {string[]} */ ([]);
let checks = 0;

const agents = {
  JavaScript: [process.execPath, join(here, 'drifts/sdks.mjs')],
  ...(PYTHON && { Python: [PYTHON, join(here, 'drifts/sdks.py')] }),
};
for (const [language, command] of Object.entries(agents))
  if ((process.env.ONLY ?? language) === language) await checkAgent(language, command);
upstream.close();
rmSync(folder, { recursive: true });
for (const failure of failures) console.log(failure);
console.log(`${checks} checks, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** @param {string} language @param {string[]} command */
async function checkAgent(language, command) {
  const tape = `${language}.tape.jsonl`;
  const recorded = await engine(['exec', '--record', '--tape', tape, ...upstreams, '--', ...command], 'same');
  const calls = linesOf(recorded.stdout);
  expect(
    `${language}: every call is recorded`,
    recorded.code === 0 && calls.every(({ said }) => said === 'ok'),
    recorded,
  );
  const requests = Number(/(\d+) recorded/.exec(recorded.stderr)?.[1]);
  const before = upstream.count();
  await throughServe(language, command, tape, requests);
  await throughExec(language, command, tape, requests);
  await throughCase(language, command, tape, calls.length);
  expect(`${language}: nothing reached the upstream`, upstream.count() === before);
  await throughAuto(language, command, tape, requests);
  console.log(`${language}: ${calls.length} calls, ${requests} requests: ${calls.map(({ name }) => name).join(', ')}`);
}

/** @param {string} language @param {string[]} command @param {string} tape @param {number} requests */
async function throughServe(language, command, tape, requests) {
  for (const variant of ['same', 'text', 'model']) {
    const child = spawn(process.execPath, [ENGINE, 'serve', '--tape', tape, '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = output(child);
    const line = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))));
    const agent = await run(command, { ...process.env, ...JSON.parse(line), VARIANT: variant });
    child.kill('SIGINT');
    const { stderr } = await ended;
    if (variant === 'same')
      expect(`${language}, serve: same`, stderr.includes(`replay: ${requests} exact`), { ...agent, stderr });
    for (const [at, { name, said }] of linesOf(agent.stdout).entries())
      checkError(`${language}, serve, ${variant}: ${name}`, variant, at, said);
  }
}

/** @param {string} where @param {string} variant @param {number} at @param {string} said */
function checkError(where, variant, at, said) {
  if (variant === 'same') return expect(where, said === 'ok', { stdout: said });
  const nearest = said.includes(`differs from interaction ${at + 1} in one place`);
  expect(where, nearest && SAYS[variant]?.test(said) === true && !/--mask|mask = /.test(said), { stdout: said });
}

/** @param {string} language @param {string[]} command @param {string} tape @param {number} requests */
async function throughExec(language, command, tape, requests) {
  const same = await engine(['exec', '--tape', tape, '--', ...command], 'same');
  expect(`${language}, exec: same`, same.code === 0 && same.stderr.includes(`replay: ${requests} exact`), same);
  const text = await engine(['exec', '--tape', tape, '--', ...command], 'text');
  expect(`${language}, exec: text`, text.code === 4 && /request 1: drifted/.test(text.stderr), text);
  const warned = await engine(['exec', '--tape', tape, '--on-drift', 'warn', '--', ...command], 'text');
  const passed = warned.code === 0 && linesOf(warned.stdout).every(({ said }) => said === 'ok');
  expect(`${language}, exec: text, on_drift = "warn"`, passed && /\d+ differs/.test(warned.stderr), warned);
}

/** @param {string} language @param {string[]} command @param {string} tape @param {number} calls */
async function throughCase(language, command, tape, calls) {
  for (const [variant, rules, code, says] of /** @type {const} */ ([
    ['same', '', 0, /requests: \d+ exact/],
    ['text', '', 4, /request 1 drifted: .*harbour/],
    ['model', '', 4, /request 1 drifted: .*model: \S+ → \S+-2099/],
    ['text', 'on_drift = "warn"', 0, /requests: \d+ differs/],
  ])) {
    const toml = `name = "sdks"\nprompt = "go"\n[agent]\ncommand = ${JSON.stringify(command)}\n[agent.env]\nVARIANT = "${variant}"\n[llm]\ntape = "${tape}"\n[llm.replay]\n${rules}\n[assert]\ncontains = "\\tok"\n`;
    writeFileSync(join(folder, 'sdks.toml'), toml);
    const { code: ended, stdout, stderr } = await engine(['run', 'sdks.toml'], variant);
    const isRight = ended === code && says.test(stdout) && calls > 0;
    expect(`${language}, case: ${variant} ${rules}`, isRight, { stdout, stderr, code: ended });
  }
}

/** @param {string} language @param {string[]} command @param {string} tape @param {number} requests */
async function throughAuto(language, command, tape, requests) {
  const auto = ['exec', '--auto', '--tape', tape, ...upstreams, '--', ...command];
  const before = upstream.count();
  const same = await engine(auto, 'same');
  expect(
    `${language}, auto: same`,
    same.stderr.includes(`auto: ${requests} exact`) && upstream.count() === before,
    same,
  );
  const text = await engine(auto, 'text');
  expect(`${language}, auto: text is recorded`, text.code === 0 && /\d+ recorded/.test(text.stderr), text);
  const again = await engine(['exec', '--tape', tape, '--', ...command], 'text');
  expect(`${language}, auto: what it recorded is served`, again.code === 0, again);
}

/** @param {string[]} args @param {string} variant */
function engine(args, variant) {
  const keys = args.includes('--record') || args.includes('--auto') ? AWS_KEYS : {};
  return run([process.execPath, ENGINE, ...args], { ...process.env, ...keys, VARIANT: variant });
}

/** @param {string[]} command @param {NodeJS.ProcessEnv} env */
function run([program = '', ...args], env) {
  return output(spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} */
function output(child) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (bytes) => {
    stdout += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    stderr += bytes;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

/** @param {string} stdout */
function linesOf(stdout) {
  return stdout.split('\n').flatMap((line) => {
    const [name = '', said] = line.split('\t');
    return said === undefined ? [] : [{ name, said }];
  });
}

/** @param {string} what @param {boolean} isRight @param {{ stdout?: string, stderr?: string, code?: number | null }} [got] */
function expect(what, isRight, { stdout = '', stderr = '', code } = {}) {
  checks += 1;
  if (!isRight) failures.push(`${what}: exit ${code}\n${stdout.slice(0, 1500)}\n${stderr.slice(0, 1500)}\n`);
}
