// Replay under load, beside a bare node:http server with a constant answer and aimock with a fixture for each question,
// in turns in the same run: what counts are the ratios. 2,000 and 10,000 interactions, questions of 2 KB, 16 at a time.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { question, tape } from './proxy/conversations.mjs';
import { load } from './proxy/load.mjs';
import { startServer } from './proxy/server.mjs';
import { median, ratios, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const HERE = join(dirname(fileURLToPath(import.meta.url)), 'proxy');
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Of rounds that ask each question once, which takes some 70 ms. */
const PAIRS = Number(process.env.PAIRS ?? 25);
/** A server is as fast as it gets after some thousand requests. */
const WARM_UPS = 6;
const STARTS = 11;
const COUNT = 2_000;
const MANY = 10_000;
/** V8 settles its heap within the first 300,000. */
const MANY_REPLAYS = Number(process.env.REPLAYS ?? 1_600_000);
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
/** @type {string[]} */
const failures = [];

try {
  writeFileSync(join(folder, 'tapedeck.toml'), '');
  for (const stream of [false, true])
    for (const count of [COUNT, MANY]) writeFileSync(tapePath(count, stream), tape(count, stream));
  for (const stream of [false, true]) await throughput(stream);
  await start();
  await drift();
  await memory();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/**
 * In short rounds, bare and tapedeck next to each other: what else a machine does changes slower than they do, so that their ratio is steady
 * where their speeds are not. Beside it the ratio of the processor time of the two servers, which others hardly change.
 * @param {boolean} stream
 */
async function throughput(stream) {
  const kind = stream ? 'stream' : 'json';
  const servers = {
    bare: await server([join(HERE, 'bare.mjs'), kind]),
    [COUNT]: await replay(COUNT, stream),
    [MANY]: await replay(MANY, stream),
    aimock: await server([join(HERE, 'aimock.mjs'), String(COUNT), kind]),
  };
  const bodies = Array.from({ length: COUNT }, (_, index) => Buffer.from(JSON.stringify(question(index, stream))));
  const ask = async (/** @type {string | number} */ name) => {
    const { url, pid } = servers[name];
    const before = runningTimeOf(pid);
    const { perSecond, wrong } = await load({ url, bodies, concurrency: 16 });
    if (wrong > 0) failures.push(`${name}, ${kind}: ${wrong} wrong answers`);
    return { perSecond, each: (runningTimeOf(pid) - before) / COUNT };
  };
  for (let round = 0; round < WARM_UPS; round += 1) for (const name of ['bare', COUNT, MANY]) await ask(name);
  console.log(`\n${stream ? 'Server-sent events' : 'JSON'}, medians of ${PAIRS} pairs of rounds`);
  for (const [count, asked] of /** @type {const} */ ([
    [COUNT, 0.9],
    [MANY, 0.85],
  ])) {
    /** @type {{ own: { perSecond: number, each: number }, bare: { perSecond: number, each: number } }[]} */
    const pairs = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // Neither is always the first of a pair.
      const before = pair % 2 === 0 ? undefined : await ask('bare');
      const own = await ask(count);
      pairs.push({ own, bare: before ?? (await ask('bare')) });
    }
    const middle = (/** @type {'own' | 'bare'} */ side, /** @type {'perSecond' | 'each'} */ of) =>
      median(pairs.map((pair) => pair[side][of]));
    const text = (/** @type {'own' | 'bare'} */ side) =>
      `${middle(side, 'perSecond').toFixed(0)} a second, ${(middle(side, 'each') * 1e3).toFixed(0)} µs of processor time each`;
    console.log(`  ${count} recordings: ${text('own')}; bare: ${text('bare')}`);
    const what = `replay proxy, ${kind}, ${count} recordings`;
    const of = 'bare node:http';
    const values = pairs.map(({ own, bare }) => own.perSecond / bare.perSecond);
    report({ what, of, values, asked, bound: 'least' });
    const times = pairs.map(({ own, bare }) => own.each / bare.each);
    report({ what: `${what}: processor time`, of, values: times, asked: 1 / asked });
    const ratio = middle('own', 'perSecond') / (await ask('aimock')).perSecond;
    expect(ratio >= 3, `${what}: ${ratio.toFixed(1)} times aimock, wanted 3`);
  }
  for (const { stop } of Object.values(servers)) stop();
}

/** From the start of the process to the first right answer, where an earlier replay has kept what it found; `firstAnswer.mjs` has the first. */
async function start() {
  rmSync(join(folder, '.tapedeck'), { recursive: true, force: true });
  const first = await replay(MANY, false);
  await load({ url: first.url, bodies: [Buffer.from(JSON.stringify(question(0, false)))], concurrency: 1 });
  await keptMoreThan(0);
  first.stop();
  /** @type {Record<string, number[]>} */
  const times = { bare: [], tapedeck: [] };
  let rss = 0;
  for (let round = 0; round < STARTS; round += 1) {
    for (const [name, begin] of Object.entries({
      bare: () => server([join(HERE, 'bare.mjs'), 'json']),
      tapedeck: () => replay(MANY, false),
    })) {
      const started = performance.now();
      const { url, stop, pid } = await begin();
      await load({ url, bodies: [Buffer.from(JSON.stringify(question(0, false)))], concurrency: 1 });
      times[name]?.push(performance.now() - started);
      if (name === 'tapedeck') rss = Math.max(rss, memoryOf(pid));
      stop();
    }
  }
  const bare = median(times.bare ?? []);
  const tapedeck = median(times.tapedeck ?? []);
  console.log(`\nFrom start to the first answer, with ${MANY} interactions, medians of ${STARTS}`);
  console.log(
    `  bare ${bare.toFixed(0)} ms, tapedeck ${tapedeck.toFixed(0)} ms: ${(tapedeck / bare).toFixed(2)}; ${rss.toFixed(0)} MB`,
  );
  const values = ratios(times.tapedeck ?? [], times.bare ?? []);
  report({ what: `second start to the first answer, ${MANY} recordings`, of: 'bare node:http', values, asked: 1.25 });
  expect(rss < 120, `memory after the start: ${rss.toFixed(0)} MB, wanted less than 120`);
}

/** A request that is on no tape, among 2,000, beside ten exact matches of 200 KB. */
async function drift() {
  const large = Array.from({ length: 10 }, (_, index) => question(index, false, 200_000));
  const lines = tape(COUNT, false).trimEnd().split('\n');
  for (const [index, json] of large.entries()) {
    const number = COUNT + index + 1;
    lines.push(
      JSON.stringify({ request: number, method: 'POST', url: 'https://api.openai.com/v1/chat/completions', json }),
    );
    lines.push(
      JSON.stringify({
        response: number,
        status: 200,
        headers: [['content-type', 'application/json']],
        json: { text: `A${index}.` },
      }),
    );
  }
  writeFileSync(join(folder, 'drift.tape.jsonl'), `${lines.join('\n')}\n`);
  const before = caches();
  const { url, stop } = await replay(0, false, 'drift.tape.jsonl');
  const bodies = large.map((body) => Buffer.from(JSON.stringify(body)));
  const drifted = (/** @type {number} */ index) =>
    Buffer.from(JSON.stringify(question(index, false)).replace('lazy dog', `lazy cat ${index}`));
  const one = async (/** @type {Buffer[]} */ all) => {
    const started = performance.now();
    await load({ url, bodies: all, concurrency: 1 });
    return performance.now() - started;
  };
  await one(bodies);
  await keptMoreThan(before);
  await one([drifted(1)]);
  const exact = [];
  const drifts = [];
  for (let round = 0; round < 15; round += 1) {
    exact.push(await one(bodies));
    drifts.push(await one([drifted(100 + round)]));
  }
  stop();
  console.log(
    `\nA drift among ${COUNT}: ${median(drifts).toFixed(1)} ms; ten exact matches of 200 KB: ${median(exact).toFixed(1)} ms`,
  );
  expect(
    median(drifts) <= median(exact),
    `a drift takes ${median(drifts).toFixed(1)} ms, ten exact matches ${median(exact).toFixed(1)} ms`,
  );
  const firsts = [];
  const reads = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    readFileSync(join(folder, 'drift.tape.jsonl'));
    reads.push(performance.now() - begin);
    const again = await replay(0, false, 'drift.tape.jsonl');
    const start = performance.now();
    await load({ url: again.url, bodies: [drifted(1)], concurrency: 1 });
    firsts.push(performance.now() - start);
    again.stop();
  }
  const what = `first drift of a second replay among ${COUNT}`;
  report({
    what,
    of: `a tape of ${(lines.join('\n').length / 1e6).toFixed(0)} MB; to read it once takes ${median(reads).toFixed(0)} ms`,
    values: firsts,
    unit: 'ms',
    asked: 150,
  });
}

async function memory() {
  const { url, stop, pid } = await replay(COUNT, false);
  const bodies = Array.from({ length: COUNT }, (_, index) => Buffer.from(JSON.stringify(question(index, false))));
  const sizes = [];
  for (let done = 0; done < MANY_REPLAYS; done += COUNT) {
    await load({ url, bodies, concurrency: 16 });
    sizes.push(memoryOf(pid));
  }
  stop();
  const quarter = Math.floor(sizes.length / 4);
  const early = median(sizes.slice(quarter, 2 * quarter));
  const late = median(sizes.slice(-quarter));
  console.log(
    `\n${MANY_REPLAYS} replays: ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`,
  );
  expect(late <= early * 1.1 + 2, `memory grows: ${early.toFixed(0)} MB, then ${late.toFixed(0)} MB`);
}

function caches() {
  const cache = join(folder, '.tapedeck', 'cache');
  return existsSync(cache) ? readdirSync(cache).filter((name) => name.endsWith('.replay')).length : 0;
}

/** Waits until a replay has kept what it found of its tape, which it does when there is nothing else to do. @param {number} before */
async function keptMoreThan(before) {
  for (let wait = 0; caches() <= before; wait += 1) {
    if (wait === 600) throw new Error('nothing was kept of a tape');
    await delay(100);
  }
}

/** @param {boolean} holds @param {string} otherwise */
function expect(holds, otherwise) {
  if (!holds) failures.push(otherwise);
}

/** @param {number} count @param {boolean} stream */
function tapePath(count, stream) {
  return join(folder, `${count}-${stream ? 'stream' : 'json'}.tape.jsonl`);
}

/** @param {number} count @param {boolean} stream */
async function replay(count, stream, name = tapePath(count, stream)) {
  const args = [ENGINE, 'serve', '--tape', name, '--repeat', '--token', 'benchmark'];
  const { url, ...rest } = await server(args);
  return { url: `${url}/chat/completions`, ...rest };
}

/** @param {string[]} args */
function server(args) {
  return startServer(args, folder);
}

/** Milliseconds that all threads of a process have run, on Linux: to the nanosecond, where its other times are of ten milliseconds. @param {number} pid */
function runningTimeOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Megabytes that a process has in memory, on Linux. @param {number} pid */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
