// Replays through CONNECT and TLS, beside the same replays by a base URL: of `exec`, which has both doors, and of `serve`, which has
// only that one. In turns in the same run, each on interactions of its own: what counts are the ratios.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { question, tape } from './proxy/conversations.mjs';
import { load } from './proxy/load.mjs';

const ENGINE = resolve('dist/engine.js');
const AGENT = join(import.meta.dirname, 'proxy/heldAgent.mjs');
const PER_ROUND = Number(process.env.PER_ROUND ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WARM_UPS = 2;
/** Each round asks once through each of the doors of `exec`, whose tape is replayed only once. */
const COUNT = PER_ROUND * 2 * (ROUNDS + WARM_UPS);
const OWN_ADDRESS = 'https://api.openai.com/v1/chat/completions';

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
/** @type {string[]} */
const failures = [];
try {
  writeFileSync(join(folder, 'tapedeck.toml'), '');
  writeFileSync(join(folder, 'bench.tape.jsonl'), tape(COUNT, false));
  await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function compare() {
  const serve = await start(
    ['serve', '--tape', 'bench.tape.jsonl', '--repeat', '--token', 'benchmark'],
    /^OPENAI_BASE_URL=(\S+)$/m,
  );
  const exec = await start(['exec', '--tape', 'bench.tape.jsonl', '--', process.execPath, AGENT], /^AGENT (.*)$/m);
  const { base, proxy, trust } = JSON.parse(exec.said);
  // A hundred certificates of authorities take longer to read than a connection to open.
  const tunnel = { proxy, secureContext: createSecureContext({ ca: readFileSync(trust, 'utf8') }) };
  let next = 0;
  const ask = async (/** @type {string} */ url, /** @type {{ tunnel?: typeof tunnel }} */ options = {}) => {
    const first = next;
    const bodies = Array.from({ length: PER_ROUND }, (_, at) =>
      Buffer.from(JSON.stringify(question(first + at, false))),
    );
    const { perSecond, wrong } = await load({ url, bodies, concurrency: 16, first, ...options });
    if (wrong > 0) failures.push(`${url}: ${wrong} wrong answers`);
    return perSecond;
  };
  /** @type {Record<string, number[]>} */
  const rates = { 'serve, base URL': [], 'exec, base URL': [], 'exec, CONNECT': [] };
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const plain = await ask(`${serve.said}/chat/completions`);
    const reverse = await ask(`${base}/chat/completions`);
    next += PER_ROUND;
    const forward = await ask(OWN_ADDRESS, { tunnel });
    next += PER_ROUND;
    if (round < 0) continue;
    rates['serve, base URL']?.push(plain);
    rates['exec, base URL']?.push(reverse);
    rates['exec, CONNECT']?.push(forward);
  }
  serve.stop();
  exec.stop();
  const [plain = 1, reverse = 0, forward = 0] = Object.values(rates).map(median);
  console.log(`\nReplays of ${COUNT} interactions, requests a second, medians of ${ROUNDS} rounds`);
  for (const [name, all] of Object.entries(rates))
    console.log(
      `  ${name.padEnd(18)}${median(all).toFixed(0).padStart(8)}  ${(median(all) / plain).toFixed(2)} of serve`,
    );
  expect(forward / plain >= 0.5, `CONNECT: ${(forward / plain).toFixed(2)} of serve, wanted 0.5`);
  expect(reverse / plain >= 0.9, `the base URL of exec: ${(reverse / plain).toFixed(2)} of serve, wanted 0.9`);
}

/** Starts the engine, and waits for what it says first. @param {string[]} args @param {RegExp} pattern */
async function start(args, pattern) {
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  const child = spawn(process.execPath, [ENGINE, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  /** @type {string} */
  const said = await new Promise((done, fail) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) done(found);
    });
    child.once('exit', (code) => fail(new Error(`${args[0]} ended with ${code}: ${errors}`)));
  });
  return { said, stop: () => (args[0] === 'exec' ? child.stdin.end() : child.kill('SIGKILL')) };
}

/** @param {boolean} holds @param {string} otherwise */
function expect(holds, otherwise) {
  if (!holds) failures.push(otherwise);
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
