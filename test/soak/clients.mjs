#!/usr/bin/env node
// node test/soak/clients.mjs [CLIENT…]   The table of clients in docs/clients.md: each SDK and HTTP client, as its users write it, recorded by
// `tapedeck exec` at a TLS server of ours on this machine, and replayed with that server gone. Twice: once as exec starts it, and once
// without the base URLs of SDKs, so that it calls its API's own address. Build the engine first (node esbuild.mjs node). Packages are
// installed into .vscode-test/clients when they are missing; a runtime that is not on this machine is named, and is a failure.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serveAnswers } from './clients/answers.mjs';
import { CLIENTS } from './clients/installed.mjs';

const ENGINE = resolve('dist/engine.js');
const KEYS = {
  OPENAI_API_KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  ANTHROPIC_API_KEY: 'sk-ant-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  GEMINI_API_KEY: 'AIzaSyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYz0',
  MISTRAL_API_KEY: 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  CO_API_KEY: 'bB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  GROQ_API_KEY: 'gsk_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
/** What exec sets besides the proxy: without these, an SDK calls its API's own address. */
const BASE_URLS = [
  ...['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE', 'GOOGLE_GEMINI_BASE_URL'],
  ...['GEMINI_API_BASE', 'MISTRAL_BASE_URL', 'MISTRAL_API_BASE', 'CO_API_URL', 'CO_BASE_URL', 'GROQ_BASE_URL'],
  ...['GROQ_API_BASE', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'OLLAMA_HOST'],
];
const MODELS = ['anthropic', 'gemini', 'mistral', 'cohere', 'groq', 'ollama', 'bedrock', 'api.weather.test'];

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-clients-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
mkdirSync(join(folder, 'tapes'));
const rows = [];
try {
  for (const client of CLIENTS) {
    if (wanted.length > 0 && !wanted.includes(client.name)) continue;
    const row = { name: client.name, runtime: client.runtime, cells: await cellsOf(client) };
    rows.push(row);
    console.log(`| ${row.runtime} | ${row.name} | ${row.cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const cells = rows.flatMap(({ cells }) => cells);
const failed = cells.filter((cell) => !/^(?:yes|no: told|local)$/.test(cell));
console.log(`\n${cells.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && cells.length > 0 ? 0 : 1;

/** @param {import('./clients/installed.mjs').Client} client */
async function cellsOf(client) {
  const installed = await client.install();
  if ('missing' in installed) return [`MISSING: ${installed.missing}`];
  const asStarted = await cell(client, installed.command, 'as-started');
  if (client.isLocal) return [asStarted, 'local'];
  const withoutBases = ['env', ...BASE_URLS.flatMap((name) => ['-u', name]), ...installed.command];
  return [asStarted, await cell(client, withoutBases, 'own-address')];
}

/** Records a client, and replays it with the server gone. @param {import('./clients/installed.mjs').Client} client @param {string[]} command @param {string} way */
async function cell(client, command, way) {
  const file = `tapes/${`${client.runtime}-${client.name}-${way}`.replace(/[^\w.-]/g, '')}.tape.jsonl`;
  const server = await serveAnswers(folder);
  const upstreams = [`openai=${server.url}/v1`, ...MODELS.map((name) => `${name}=${server.url}`)];
  const options = [
    ...upstreams.flatMap((one) => ['--upstream', one]),
    ...Object.keys(KEYS).flatMap((name) => ['--allow-key', `${name}=localhost`]),
  ];
  const recorded = await engine(['exec', '--record', '--tape', file, ...options, '--', ...command], {
    ...KEYS,
    NODE_EXTRA_CA_CERTS: server.trust,
  });
  const asked = server.asked();
  server.close();
  if (client.isSigned && !isSignedRight(command, server.signed)) return 'FAILED: signature';
  if (client.cannot) return told(client.cannot, recorded);
  if (recorded.code !== 0 || asked === 0 || !/Answer \d+: sunny\./.test(recorded.stdout))
    return problem('recording', recorded);
  const replayed = await engine(['exec', '--replay', '--tape', file, '--', ...command], {});
  if (replayed.code !== 0 || replayed.stdout !== recorded.stdout) return problem('replay', replayed);
  return 'yes';
}

/** Whether AWS would accept what the server got: the judge is botocore. @param {string[]} command @param {object[]} signed */
function isSignedRight(command, signed) {
  const python = command.find((word) => /python/.test(word)) ?? 'python3';
  const judge = join(import.meta.dirname, 'clients/python/judge.py');
  const { status, stdout, stderr } = spawnSync(python, [judge, KEYS.AWS_SECRET_ACCESS_KEY], {
    input: JSON.stringify(signed),
  });
  console.log(`${stdout}${stderr}`.trimEnd());
  return status === 0;
}

/** @param {RegExp} sentence @param {Ended} ended */
function told(sentence, ended) {
  return ended.code !== 0 && sentence.test(ended.stderr) ? 'no: told' : problem('not told', ended);
}

/** @typedef {{ code: number | null, stdout: string, stderr: string }} Ended */

/** @param {string} what @param {Ended} ended */
function problem(what, { code, stdout, stderr }) {
  console.log(`--- ${what}, exit code ${code}\n${stdout.slice(0, 400)}${stderr.slice(-3_000)}---`);
  return `FAILED: ${what}`;
}

/** @param {string[]} args @param {Record<string, string>} env @returns {Promise<Ended>} */
function engine(args, env) {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((done) => {
    const child = spawn(process.execPath, [ENGINE, ...args], {
      cwd: folder,
      env: { PATH, HOME, XDG_STATE_HOME: join(folder, 'state'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}
