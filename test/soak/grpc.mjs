#!/usr/bin/env node
// node test/soak/grpc.mjs [CLIENT…]   The clients of gRPC in docs/clients.md: grpcio with the SDKs of xAI and the Gemini API, @grpc/grpc-js, and grpc-go, each
// recorded by `tapedeck exec` at a server of grpcio on this machine, with TLS and without it, and replayed twice with that server gone. A changed
// message has to be a drift that names it, with exit code 4. Build the engine first (node esbuild.mjs node). What is missing is installed into
// .vscode-test/grpc, or where TAPEDECK_GRPC_CLIENTS says.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ENGINE = resolve('dist/engine.js');
const HERE = join(import.meta.dirname, 'grpc');
const CLIENTS = resolve(process.env.TAPEDECK_GRPC_CLIENTS ?? '.vscode-test/grpc');
const KEYS = {
  XAI_API_KEY: 'xai-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  GEMINI_API_KEY: 'AIzaSyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYz0',
};
const PYTHON = join(CLIENTS, 'venv/bin/python');

const agents = { grpcio: python(), 'grpc-js': node(), 'grpc-go': go() };
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-grpc-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, { command, cwd }] of Object.entries(agents)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const tape = join(folder, `${name}.tape.jsonl`);
  const server = await serve();
  const live = run(['--record', ...server.upstreams, '--tape', tape], command, { cwd, trust: server.trust });
  server.process.kill();
  await once(server.process, 'exit');
  const results = ['once', 'again'].map(() => run(['--tape', tape], command, { cwd }));
  const changed = run(['--tape', tape], [...command, 'changed'], { cwd });
  const text = existsSync(tape) ? readFileSync(tape, 'utf8') : '';
  const checks = {
    recorded: live.status === 0 && live.stdout !== '',
    replayed: results.every(({ status, stdout }) => status === 0 && stdout === live.stdout),
    'drift named': changed.status === 4 && /field_1|changed/.test(changed.stderr),
    'no key': !Object.values(KEYS).some((key) => text.includes(key)),
    'as messages': text.includes('"client":{"field_1":"a"}'),
  };
  console.log(
    `${name}: ${Object.entries(checks)
      .map(([what, ok]) => `${what} ${ok ? 'yes' : 'NO'}`)
      .join(', ')}`,
  );
  if (Object.values(checks).every(Boolean)) continue;
  failed += 1;
  for (const one of [live, ...results, changed]) console.log(one.status, one.stdout, one.stderr);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string[]} options @param {string[]} command @param {{ cwd?: string | undefined, trust?: string }} how */
function run(options, command, { cwd = folder, trust }) {
  const env = { ...process.env, ...KEYS, ...(trust && { NODE_EXTRA_CA_CERTS: trust }) };
  const ended = spawnSync(process.execPath, [ENGINE, 'exec', ...options, '--', ...command], {
    ...{ cwd, env, encoding: 'utf8', timeout: 120_000 },
  });
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

async function serve() {
  const [key, trust] = ['server.key', 'server.pem'].map((name) => join(folder, name));
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...made, ...names, '-keyout', String(key), '-out', String(trust)], { stdio: 'ignore' });
  const process = spawn(PYTHON, [join(HERE, 'server.py'), String(key), String(trust)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(process.stdout), 'line');
  const [, secure, plain] = String(line).split(' ');
  const hosts = ['echo.test', 'api.x.ai', 'generativelanguage.googleapis.com'];
  const upstreams = [
    ...hosts.flatMap((host) => ['--upstream', `${host}=https://localhost:${secure}`]),
    ...['--upstream', `plain.test=http://localhost:${plain}`],
  ];
  return { process, trust: String(trust), upstreams };
}

function python() {
  if (!existsSync(PYTHON)) {
    mkdirSync(CLIENTS, { recursive: true });
    execFileSync('python3', ['-m', 'venv', join(CLIENTS, 'venv')]);
    execFileSync(PYTHON, ['-m', 'pip', 'install', '--quiet', 'grpcio', 'xai-sdk', 'google-ai-generativelanguage']);
  }
  return { command: [PYTHON, join(HERE, 'agent.py')], cwd: undefined };
}

function node() {
  const own = join(CLIENTS, 'js');
  if (!existsSync(join(own, 'node_modules/@grpc/grpc-js'))) {
    mkdirSync(own, { recursive: true });
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, '@grpc/grpc-js'], { stdio: 'ignore' });
  }
  return { command: [process.execPath, join(HERE, 'agent.mjs')], cwd: own };
}

function go() {
  const own = join(CLIENTS, 'goagent');
  cpSync(join(HERE, 'go'), own, { recursive: true });
  execFileSync('go', ['mod', 'tidy'], { cwd: own, stdio: 'ignore' });
  execFileSync('go', ['build', '-o', 'agent', '.'], { cwd: own });
  return { command: [join(own, 'agent')], cwd: undefined };
}
