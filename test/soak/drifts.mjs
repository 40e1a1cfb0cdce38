#!/usr/bin/env node
// node test/soak/drifts.mjs [COUNT]   Seeded drifts of every protocol through a real `serve`, in the paths of the SDKs: what is unchanged,
// indented, or in another order is served; each drift names exactly what was changed, beside the recording that it was made from, and
// proposes a mask only where that suffices. 1,000 by default; build the engine first. SIBLINGS: how many recordings each has, 8 by default;
// of more than 48, only some are read.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomOf } from '../harness/random.mjs';
import { ENDPOINTS } from './drifts/endpoints.mjs';
import { namedIn, sayingOf, seedDrift } from './drifts/seeds.mjs';

const COUNT = Number(process.argv[2] ?? 1000);
const ENGINE = resolve('dist/engine.js');
const SIBLINGS = Number(process.env.SIBLINGS ?? 8);
const random = randomOf(Number(process.env.SEED ?? 15));
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-drifts-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
const failures = /** @type {string[]} */ ([]);
const rows = ENDPOINTS.map((endpoint, row) => ({
  endpoint,
  said: Array.from({ length: SIBLINGS }, (_, at) => sayingOf(row, at)),
  score: { served: 0, drifts: 0, named: 0, nearest: 0, masks: 0, wrongMasks: 0 },
}));
const masked = /** @type {{ called: string, body: string, mask: string, index: number }[]} */ ([]);

writeTape();
await serving([], checkServed);
await serving([], checkDrifts);
await serving(['--mask', 'date'], checkMasks);
rmSync(folder, { recursive: true });
report();

function writeTape() {
  const headers = { 'Content-Type': ['application/json'] };
  const interactions = rows.flatMap(({ endpoint, said }, row) =>
    said.map((one, at) => ({
      request: { method: 'POST', uri: endpoint.recorded(one), headers, body: JSON.stringify(endpoint.body(one)) },
      response: { status: { code: 200, message: 'OK' }, headers, body: { string: answer(row, at) } },
    })),
  );
  writeFileSync(join(folder, 'tape.json'), JSON.stringify({ version: 1, interactions }));
}

/** @param {number} row @param {number} at */
function answer(row, at) {
  return JSON.stringify({ interaction: row * SIBLINGS + at });
}

/** @param {string[]} options @param {(base: string) => Promise<void>} use */
async function serving(options, use) {
  const args = [ENGINE, 'serve', '--tape', 'tape.json', '--repeat', '--json', ...options];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const line = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))));
  try {
    await use(JSON.parse(line).TAPEDECK_PROXY);
  } finally {
    child.kill('SIGINT');
    await new Promise((done) => child.once('exit', done));
  }
}

/** @param {string} url @param {string} body */
async function post(url, body) {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return { status: response.status, text: await response.text() };
}

/** @param {string} base */
async function checkServed(base) {
  for (const [row, { endpoint, said, score }] of rows.entries())
    for (const [at, one] of said.entries()) {
      const body = endpoint.body(one);
      for (const sent of [JSON.stringify(body), JSON.stringify(body, null, 4), JSON.stringify(reversed(body))]) {
        const { status, text } = await post(`${base}${endpoint.called(one)}`, sent);
        if (status === 200 && text === answer(row, at)) score.served += 1;
        else failures.push(`${endpoint.protocol}, recording ${at + 1}: ${status} ${text}`);
      }
    }
}

/** @param {string} base */
async function checkDrifts(base) {
  for (let done = 0; done < COUNT; done += 1) {
    const row = done % rows.length;
    const at = random(SIBLINGS);
    const { endpoint, said, score } = rows[row] ?? fail();
    const original = said[at] ?? fail();
    const seeded = seedDrift(endpoint, original, random);
    const called = endpoint.called(seeded.said);
    const body = JSON.stringify(endpoint.body(seeded.said));
    const { status, text } = await post(`${base}${called}`, body);
    const message = status === 400 ? messageOf(text) : text;
    const index = row * SIBLINGS + at;
    const names = namedIn(message).join();
    const proposed = /It would match with (.*)\./.exec(message)?.[1] ?? '';
    const wanted = seeded.masks.map((mask) => `--mask ${mask}`).join(' ');
    score.drifts += 1;
    if (names === seeded.names.join()) score.named += 1;
    if (message.includes(`it differs from interaction ${index + 1} in`)) score.nearest += 1;
    else failures.push(`${endpoint.protocol}: not nearest to ${index + 1}: ${seeded.names.join()}\n${message}`);
    if (names !== seeded.names.join())
      failures.push(`${endpoint.protocol}: expected ${seeded.names.join()}\n${message}`);
    if (proposed !== '') score.masks += 1;
    if (proposed !== wanted) {
      score.wrongMasks += 1;
      failures.push(`${endpoint.protocol}: proposed ${proposed || 'no mask'}, not ${wanted || 'none'}\n${message}`);
    }
    for (const mask of seeded.masks) masked.push({ called, body, mask, index });
  }
}

/** With the mask that was proposed, each request is served its recording. @param {string} base */
async function checkMasks(base) {
  for (const { called, body, mask, index } of masked) {
    const { status, text } = await post(`${base}${called}`, body);
    if (status !== 200 || text !== JSON.stringify({ interaction: index }))
      failures.push(`${called}: --mask ${mask} does not suffice: ${status} ${text}`);
  }
}

/** @param {string} refusal */
function messageOf(refusal) {
  const { error, message } = JSON.parse(refusal);
  return String(typeof error === 'string' ? error : (error?.message ?? message));
}

/** @param {any} value @returns {any} */
function reversed(value) {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

/** @returns {never} */
function fail() {
  throw new Error('there is no such row');
}

function report() {
  const columns = ['served', 'drifts', 'named', 'nearest', 'masks', 'wrongMasks'];
  const line = (/** @type {string} */ name, /** @type {(string | number)[]} */ cells) =>
    console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(12)).join(''));
  line('protocol', columns);
  for (const { endpoint, score } of rows) line(endpoint.protocol, Object.values(score));
  const total = columns.map((_, at) => rows.reduce((sum, { score }) => sum + (Object.values(score)[at] ?? 0), 0));
  line('total', total);
  const [served = 0, drifts = 0, named = 0, nearest = 0, , wrongMasks = 0] = total;
  const isGood =
    served === rows.length * SIBLINGS * 3 && named === drifts && nearest >= drifts * 0.99 && wrongMasks === 0;
  for (const failure of failures.slice(0, Number(process.env.SHOW ?? 10))) console.log(`\n${failure}`);
  console.log(
    `${masked.length} proposed masks applied; ${isGood && failures.length <= drifts - nearest ? 'good' : 'NOT GOOD'}`,
  );
  process.exitCode = isGood ? 0 : 1;
}
