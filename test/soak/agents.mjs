#!/usr/bin/env node
// node test/soak/agents.mjs [AGENT…]   Agents of current frameworks, as their users write them: each is recorded by `tapedeck exec` at models of
// ours on this machine, and replayed three times without them. It has to be green and print the same; a changed word has to be exit code 4,
// and the agent's own error has to name it; nothing may reach the models in a replay, of which the last is sealed. Build the engine first
// (node esbuild.mjs node). Packages are installed into .vscode-test/agents, or the folder of AGENTS, when they are missing.
// REPLAYS=1 makes do with the sealed one. With strace on the PATH, six agents are traced: each address that a replay connects to has to be this machine.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AGENTS } from './agents/installed.mjs';
import { serveModels } from './agents/upstream.mjs';

const ENGINE = resolve('dist/engine.js');
const KEYS = {
  OPENAI_API_KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  ANTHROPIC_API_KEY: 'sk-ant-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  GEMINI_API_KEY: 'AIzaSyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYz0',
  GOOGLE_API_KEY: 'AIzaSyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYz0',
  GOOGLE_GENERATIVE_AI_API_KEY: 'AIzaSyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYz0',
};
const PROMPT = 'Where is order 17 and how is the weather there?';
const TRACED = ['openai_chat', 'openai_agents', 'claude_agent_sdk', 'crewai', 'ai_sdk', 'openai_go'];
const REPLAYS = ['models up', 'models gone', 'sealed'].slice(-Number(process.env.REPLAYS ?? 3));
const LIMIT_S = 240;

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-agents-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
mkdirSync(join(folder, 'tapes'));
let passed = 0;
let failed = 0;
try {
  for (const agent of AGENTS) {
    if (wanted.length > 0 && !wanted.includes(agent.name) && !wanted.includes(agent.runtime)) continue;
    const started = Date.now();
    const problem = await problemOf(agent);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(
      `${problem ? 'red  ' : 'green'} ${agent.runtime} ${agent.name} (${seconds} s)${problem ? `: ${problem}` : ''}`,
    );
    if (problem) failed += 1;
    else passed += 1;
  }
} finally {
  if (process.env.KEEP) console.log(folder);
  else rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** What is wrong with an agent. @param {import('./agents/installed.mjs').Agent} agent @returns {Promise<string | undefined>} */
async function problemOf(agent) {
  const installed = await agent.install();
  if ('missing' in installed) return `cannot be installed: ${installed.missing}`;
  const tape = `tapes/${agent.name}.tape.jsonl`;
  const prompt = agent.isAtOnce ? `${PROMPT} Ask for both at once.` : PROMPT;
  const models = await serveModels();
  try {
    const upstreams = [`openai=${models.url}/v1`, `anthropic=${models.url}`, `gemini=${models.url}`];
    const options = upstreams.flatMap((one) => ['--upstream', one]);
    const allowed = Object.keys(KEYS).flatMap((name) => ['--allow-key', `${name}=127.0.0.1`]);
    const recorded = await exec(
      agent,
      ['--record', '--tape', tape, ...options, ...allowed],
      [...installed.command, prompt],
      KEYS,
    );
    const asked = models.asked();
    if (recorded.code !== 0 || asked === 0 || recorded.stdout === '') return described('recording', recorded);
    for (const kind of REPLAYS) {
      if (kind !== 'models up') models.close();
      const isSealed = kind === 'sealed' && !agent.isNeverSealed;
      const args = [...replayOf(agent, tape), ...(isSealed ? ['--sealed'] : [])];
      const traced =
        kind === 'models gone' && TRACED.includes(agent.name) ? join(folder, `${agent.name}.strace`) : undefined;
      const replayed = await exec(agent, args, [...installed.command, prompt], {}, traced);
      if (replayed.code !== 0) return described(`replay, ${kind}`, replayed);
      if (withoutTimes(replayed.stdout) !== withoutTimes(recorded.stdout))
        return `${described(`replay, ${kind}: other output`, replayed)}\nrecorded:\n${recorded.stdout.slice(-1_000)}`;
      if (models.asked() !== asked) return `${models.asked() - asked} requests of a replay reached the models`;
      const elsewhere = traced ? addressesIn(traced) : [];
      if (elsewhere.length > 0) return `a replay connected to ${elsewhere.join(', ')}`;
    }
    return await problemOfChange(agent, tape, [...installed.command, prompt.replace('weather', 'climate')]);
  } finally {
    models.close();
  }
}

/** What is wrong when a word of the prompt is another one. @param {import('./agents/installed.mjs').Agent} agent @param {string} tape @param {string[]} command */
async function problemOfChange(agent, tape, command) {
  const own = join(folder, `${agent.name}.own`);
  const caught = ['sh', '-c', '"$@" >"$0" 2>&1', own, ...command];
  const changed = await exec(agent, replayOf(agent, tape), caught, {});
  const said = existsSync(own) ? readFileSync(own, 'utf8') : '';
  if (changed.code !== 4) return `${described('a changed word', changed)}\nthe agent said:\n${said.slice(-2_000)}`;
  if (!/climate/.test(changed.stderr)) return described('a changed word is not named by exec', changed);
  if (agent.saysNothing) return undefined;
  if (/Tapedeck/.test(said) && /climate/.test(said.slice(said.indexOf('Tapedeck')))) return undefined;
  return `a changed word is not in the agent's own error:\n${said.slice(-2_000)}`;
}

/** @param {import('./agents/installed.mjs').Agent} agent @param {string} tape */
function replayOf({ mask }, tape) {
  return ['--replay', '--tape', tape, ...(mask ? ['--mask', mask] : [])];
}

/** The addresses that are not of this machine, which a traced program connected to. @param {string} prefix */
function addressesIn(prefix) {
  const files = readdirSync(folder).filter((name) => join(folder, name).startsWith(prefix));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const connected = [...text.matchAll(/connect\(.*?sin6?_port=htons\((\d+)\).*?"([^"]+)"/g)];
  const elsewhere = connected.filter(
    ([, port, address]) => !/^(?:127\.|::1$|::ffff:127\.)/.test(String(address)) && port !== '0',
  );
  return [...new Set(elsewhere.map(([, port, address]) => `${address}:${port}`))];
}

/** The output of agents that log there, without the times of day, which are noise in a review as well. @param {string} output */
function withoutTimes(output) {
  return output.replace(/(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d(?:\.\d+Z)?/g, '<time>');
}

/** @typedef {{ code: number | null, stdout: string, stderr: string }} Ended */

/** @param {string} what @param {Ended} ended */
function described(what, { code, stdout, stderr }) {
  return `${what}, exit code ${code}\n${stdout.slice(-600)}${stderr.slice(-2_500)}`;
}

/**
 * @param {import('./agents/installed.mjs').Agent} agent @param {string[]} options @param {string[]} command
 * @param {Record<string, string>} env @param {string} [trace] @returns {Promise<Ended>}
 */
function exec(agent, options, command, env, trace) {
  const { PATH = '' } = process.env;
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const isTraced = trace !== undefined && spawnSync('strace', ['-V']).status === 0;
  if (trace !== undefined && !isTraced) console.log(`      ${agent.name} is not traced: there is no strace`);
  const traced = isTraced ? ['strace', '-f', '-qq', '-e', 'trace=connect', '-o', trace, ...command] : command;
  return new Promise((done) => {
    const child = spawn(process.execPath, [ENGINE, 'exec', ...options, '--', ...traced], {
      cwd: folder,
      env: { PATH, HOME: home, XDG_STATE_HOME: join(folder, 'state'), ...agent.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const limit = setTimeout(() => child.kill('SIGINT'), LIMIT_S * 1000);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('close', (code) => {
      clearTimeout(limit);
      done({ code, stdout, stderr });
    });
  });
}
