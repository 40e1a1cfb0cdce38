#!/usr/bin/env node
// node test/soak/proxySoak.mjs [SECONDS]   64 clients, half on a server that records from an upstream which misbehaves, half on
// one that replays what the round before recorded. Whatever looks whole must be right, every tape must be whole, and
// nothing may be left when the servers have ended. 600 seconds by default; build the engine first.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { answerPieces, startUpstream } from './proxy/badUpstream.mjs';
import { ask, talkNonsense } from './proxy/client.mjs';

const ENGINE = resolve('dist/engine.js');
const SECONDS = Number(process.argv[2] ?? 600);
const ROUND_MS = Math.min(60_000, (SECONDS * 1000) / 2);
const CLIENTS = 64;
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-soak-'));
mkdirSync(join(folder, 'tapes'));
const random = seeded(Number(process.env.SEED ?? 1));
/** @type {string[]} */
const failures = [];
const score = { whole: 0, broken: 0, refused: 0, nonsense: 0, wrong: /** @type {string[]} */ ([]) };
const upstream = await startUpstream(random);
const until = Date.now() + SECONDS * 1000;
/** @type {string | undefined} */
let previous;
/** The questions on the tape of the round before. @type {string[]} */
let onTape = [];
let rounds = 0;
let recorded = 0;
let peak = 0;

while (Date.now() < until) {
  const tape = join(folder, 'tapes', `round${rounds}.tape.jsonl`);
  const recorder = await serve(['--auto', '--tape', tape, '--upstream', `openai=${upstream.url}`]);
  const player = previous === undefined ? recorder : await serve(['--replay', '--repeat', '--tape', previous]);
  const end = Math.min(until, Date.now() + ROUND_MS);
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      client(at % 2 === 0 || previous === undefined ? recorder.base : player.base, at % 2 === 0, end),
    ),
  );
  peak = Math.max(peak, recorder.memory(), player.memory());
  await Promise.all([...new Set([recorder, player])].map((server) => server.stop()));
  recorded += checkTape(tape);
  previous = tape;
  onTape = Array.from(
    readFileSync(tape, 'utf8').matchAll(/"role":"user","content":"(q\d+)"/g),
    ([, question = '']) => question,
  );
  rounds += 1;
  console.log(
    `${rounds * (ROUND_MS / 1000)} s: ${JSON.stringify({ ...score, wrong: score.wrong.length })}, ${recorded} recorded, ${peak.toFixed(0)} MB at most`,
  );
}

// What was stalled is let go of when its server has ended.
for (let tries = 0; tries < 100 && upstream.connections() > 0; tries += 1)
  await new Promise((done) => setTimeout(done, 50));
if (upstream.connections() > 0) failures.push(`${upstream.connections()} connections to the upstream are left`);
upstream.close();
const left = processes();
if (left.length > 0) failures.push(`processes are left: ${left.join(', ')}`);
const aside = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tmp'));
if (aside.length > 0) failures.push(`files are left: ${aside.join(', ')}`);
if (score.wrong.length > 0) failures.push(`${score.wrong.length} wrong answers, such as ${score.wrong[0]}`);
if (score.whole === 0 || recorded === 0) failures.push('nothing was answered');
rmSync(folder, { recursive: true, force: true });
for (const failure of failures) console.log(`FAILED: ${failure}`);
console.log(
  failures.length === 0 ? `ok: ${rounds} rounds, seed ${process.env.SEED ?? 1}` : `${failures.length} failed`,
);
process.exit(failures.length === 0 ? 0 : 1);

/** @param {string} base @param {boolean} asksAnew @param {number} end */
async function client(base, asksAnew, end) {
  while (Date.now() < end) {
    const question = `q${Math.floor(random() * (asksAnew ? 100_000 : 400))}`;
    const hangUp = random() < 0.2 ? random() * 30 : undefined;
    if (random() < 0.1) await talkNonsense(base, random, score);
    else await ask(base, asksAnew ? question : replayed(question), random() < 0.5, hangUp, score);
    await new Promise((done) => setTimeout(done, asksAnew ? 60 + random() * 120 : random() * 20));
  }
}

/** A question that is likely to be on the tape. @param {string} fallback */
function replayed(fallback) {
  return onTape[Math.floor(random() * onTape.length)] ?? fallback;
}

/** Every answer on the tape is whole and of its question, or says how it ended. @param {string} path */
function checkTape(path) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENGINE, 'inspect', path, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) {
    failures.push(`${path} cannot be read: ${stderr}`);
    return 0;
  }
  const { interactions, problems } = JSON.parse(stdout);
  const bad = problems.filter((/** @type {{severity: string}} */ { severity }) => severity === 'error');
  if (bad.length > 0) failures.push(`${path}: ${JSON.stringify(bad[0])}`);
  const text = readFileSync(path, 'utf8');
  const broken = text.split('"ended":').length - 1;
  const whole = interactions.filter((/** @type {any} */ { request, response }) => {
    const question = request?.messages?.[0]?.content;
    return response?.message?.content === answerPieces(question).join('');
  }).length;
  const failed = interactions.filter(
    (/** @type {any} */ { response }) => response?.error !== undefined && response.error !== null,
  ).length;
  if (whole + failed + broken < interactions.length)
    failures.push(
      `${path}: of ${interactions.length} interactions ${whole} are right, ${failed} errors and ${broken} broken off`,
    );
  return interactions.length;
}

/** @param {string[]} args */
async function serve(args) {
  const child = spawn(process.execPath, [ENGINE, 'serve', '--json', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-20_000);
  });
  const ended = new Promise((done) => child.once('exit', (code, signal) => done([code, signal])));
  /** @type {string} */
  const line = await new Promise((done, fail) => {
    child.stdout.once('data', (chunk) => done(String(chunk)));
    child.once('exit', (code) => fail(new Error(`serve ended with ${code}: ${errors}`)));
  });
  return {
    base: JSON.parse(line).TAPEDECK_PROXY,
    memory: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      // A replay that met a question that is not on its tape ends with 4, a recording with an upstream that resets with 3.
      if (![0, 3, 4].includes(code)) failures.push(`serve ended with ${code ?? signal}: ${errors.slice(-2000)}`);
      if (/this is a bug|TypeError|ERR_/.test(errors)) failures.push(`serve says: ${errors.slice(-2000)}`);
    },
  };
}

/** Engines that this script has started and that still run. */
function processes() {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        statSync(`/proc/${pid}`).uid === process.getuid?.() &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
      );
    } catch {
      return false;
    }
  });
}

/** Mulberry32. @param {number} seed */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
