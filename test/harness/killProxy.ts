import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FILE_LIMITS } from '../../src/core/bytes/fileLimits';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import { readTextIfThere } from '../../src/engine/files/readFile';
import { interruptedRecordings, recoverRecording } from '../../src/engine/recording/interrupted';
import { createRecorders } from '../../src/engine/recording/openRecorder';
import { loadTape } from '../../src/engine/recording/readTape';
import { inProject } from './builtEngine';
import { completion, type Handler, sendJson, serve } from './support';

export interface ProxyKills {
  rounds: number;
  /** Responses that a client had whole before the kill. */
  finished: number;
  /** Of these, the ones that were on no tape afterwards. */
  lost: number;
  /** Interactions on a tape that are wrong, or there twice. */
  wrong: number;
  /** Rounds in which the tape had been saved before the kill. */
  saved: number;
  recovered: number;
}

const ENGINE = resolve(__dirname, '../../dist/engine.js');
const TAPE = 'tapes/t.tape.jsonl';
const CLIENTS = 4;
const LONGEST_LIFE_MS = 250;

/** Sends prompts until the proxy is gone, and writes down each whole response. */
const AGENT = `const { appendFileSync } = require('node:fs');
const [log, first, clients] = process.argv.slice(2);
const url = process.env.OPENAI_BASE_URL + '/chat/completions';
async function client(at) {
  for (let number = 0; ; number += 1) {
    const prompt = 'p' + first + '-' + at + '-' + number;
    const body = JSON.stringify({ model: 'm', stream: number % 2 === 1, messages: [{ role: 'user', content: prompt }] });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!(await response.text()).includes('to ' + prompt)) throw new Error('wrong');
    appendFileSync(log, prompt + '\\n');
  }
}
Promise.all(Array.from({ length: Number(clients) }, (_, at) => client(at))).catch(() => process.exit(0));
`;

const answers: Handler = (response, { body }) => {
  const { messages, stream } = JSON.parse(body) as { messages: { content: string }[]; stream: boolean };
  const text = `to ${messages[0]?.content}`;
  if (!stream) return sendJson(response, 200, completion(text));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
  setTimeout(() => response.end('data: [DONE]\n\n'), Math.random() * 4);
};

/** Kills recordings of `serve` and `exec` at random moments, and counts what is on the disk afterwards. */
export async function killProxies(
  command: 'serve' | 'exec',
  count: number,
  onRound: (kills: ProxyKills) => void = () => {},
): Promise<ProxyKills> {
  const kills = { rounds: 0, finished: 0, lost: 0, wrong: 0, saved: 0, recovered: 0 };
  const upstream = await serve(answers);
  try {
    await inProject({ 'tapedeck.toml': '', 'agent.cjs': AGENT }, async ({ root }) => {
      for (let round = 0; round < count; round += 1) {
        const before = new Set((await onTape(root)).map(promptOf));
        await (command === 'serve'
          ? killServe(root, upstream.baseUrl, round)
          : killExec(root, upstream.baseUrl, round));
        await look(root, round, before, kills);
        onRound(kills);
      }
    });
  } finally {
    await upstream.close();
  }
  return kills;
}

function start(root: string, args: readonly string[]): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(process.execPath, [ENGINE, ...args], {
    cwd: root,
    env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const gone = (child: ChildProcess) => new Promise<void>((done) => child.once('exit', () => done()));

async function killServe(root: string, upstream: string, round: number): Promise<void> {
  const args = ['serve', '--auto', '--json', '--tape', TAPE, '--upstream', `openai=${upstream}`];
  const proxy = start(root, args);
  const ended = gone(proxy);
  const line = await new Promise<string>((done, fail) => {
    proxy.stdout?.once('data', (text) => done(String(text)));
    proxy.once('exit', () => fail(new Error('serve did not start')));
  });
  const base = (JSON.parse(line) as Record<string, string>).OPENAI_BASE_URL ?? '';
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(base, root, round, at)));
  await begun(root, round);
  await pause(Math.random() * LONGEST_LIFE_MS);
  // Some are killed while they save.
  if (round % 3 === 2) {
    proxy.kill('SIGTERM');
    await pause(Math.random() * 2000);
  }
  proxy.kill('SIGKILL');
  await Promise.all([ended, clients]);
}

/** As the agent does, in this process. Ends with the proxy. */
async function client(base: string, root: string, round: number, at: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (let number = 0; ; number += 1) {
    const prompt = `p${round}-${at}-${number}`;
    const message = { model: 'm', stream: number % 2 === 1, messages: [{ role: 'user', content: prompt }] };
    try {
      const response = await fetch(`${base}/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(message),
      });
      if (!(await response.text()).includes(`to ${prompt}`)) return;
    } catch {
      return;
    }
    await appendFile(join(root, `log${round}`), `${prompt}\n`);
  }
}

async function killExec(root: string, upstream: string, round: number): Promise<void> {
  const agent = ['node', 'agent.cjs', `log${round}`, `${round}`, `${CLIENTS}`];
  const proxy = start(root, ['exec', '--auto', '--tape', TAPE, '--upstream', `openai=${upstream}`, '--', ...agent]);
  const ended = gone(proxy);
  await begun(root, round);
  await pause(Math.random() * LONGEST_LIFE_MS);
  proxy.kill('SIGKILL');
  await ended;
  // The agent ends by itself when its proxy is gone.
  for (let last = -1; ; await pause(20)) {
    const length = (await logOf(root, round)).length;
    if (length === last) break;
    last = length;
  }
}

async function logOf(root: string, round: number): Promise<string> {
  return (await readTextIfThere(join(root, `log${round}`), FILE_LIMITS.case)) ?? '';
}

/** Waits for the first whole response. */
async function begun(root: string, round: number): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    if ((await logOf(root, round)) !== '') return;
    await pause(5);
  }
  throw new Error('the agent did not start');
}

async function look(root: string, round: number, before: ReadonlySet<string>, kills: ProxyKills): Promise<void> {
  const finished = (await logOf(root, round)).split('\n').filter((line) => line !== '');
  const interrupted = await interruptedRecordings(root);
  const recorder = await createRecorders({})(root);
  if (interrupted.length > 1) kills.wrong += 1;
  if (interrupted.length === 0) kills.saved += 1;
  for (const { id } of interrupted) {
    await recoverRecording(root, id, recorder);
    kills.recovered += 1;
  }
  const interactions = await onTape(root);
  const prompts = interactions.map(promptOf);
  const present = new Set(prompts);
  kills.rounds += 1;
  kills.finished += finished.length;
  kills.lost += finished.filter((prompt) => !present.has(prompt)).length;
  kills.lost += [...before].filter((prompt) => !present.has(prompt)).length;
  kills.wrong += prompts.length - present.size;
  kills.wrong += interactions.filter((one) => !isRight(one)).length;
  assert.deepEqual(await readdir(join(root, '.tapedeck/journal')).catch(() => []), []);
  // A tape of a few rounds, so that a round takes no longer than the one before.
  if (prompts.length > 100) await rm(join(root, TAPE));
}

async function onTape(root: string): Promise<readonly RecordedInteraction[]> {
  const bytes = await readFile(join(root, TAPE)).catch(() => Buffer.alloc(0));
  return bytes.length === 0 ? [] : (await loadTape(join(root, TAPE))).tape.interactions;
}

function promptOf({ request }: RecordedInteraction): string {
  return request?.messages[0]?.content ?? '';
}

/** Whole and of its prompt, or cut off where the agent or the engine was. */
function isRight(interaction: RecordedInteraction): boolean {
  return interaction.http?.ended !== undefined || interaction.response?.content === `to ${promptOf(interaction)}`;
}
