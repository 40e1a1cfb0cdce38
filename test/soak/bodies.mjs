#!/usr/bin/env node
// node test/soak/bodies.mjs [FORMAT…]   records a client that gets and sends the bodies of bodies/payloads.mjs into a tape of every format
// that records HTTP, and replays it: what it sees is the same, byte for byte, or was told before the recording, or of the interaction.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import 'tsx/cjs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { formats } = require('../../src/core/tapes/registry.ts');
const { isRecordable } = require('../../src/core/tapes/writableFormat.ts');
const { limitsOf } = require('../../src/core/tapes/unheld.ts');

const engine = resolve('dist/engine.js');
const client = resolve('test/soak/bodies/client.mjs');
const wanted = process.argv.slice(2);
const CALLS_ONLY = 'requests other than model calls';

let wrong = 0;
for (const format of formats.filter(isRecordable)) {
  if (wanted.length > 0 && !wanted.includes(format.id)) continue;
  const limits = limitsOf(format);
  if (limits[0] === CALLS_ONLY) continue;
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bodies-'));
  writeFileSync(join(folder, 'tapedeck.toml'), '');
  const tape = `t.${format.ownEndings?.[0] ?? format.extensions[0]}`;
  const server = spawn(process.execPath, [resolve('test/soak/bodies/server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let port = '';
  for await (const line of firstLine(server.stdout)) port = line;
  const upstream = `api.example.com=http://127.0.0.1:${port}`;
  const run = (/** @type {string[]} */ ...options) =>
    tapedeck(folder, ['exec', '--tape', tape, ...options, '--', process.execPath, client]);
  const recorded = await run('--record', '--to', format.id, '--upstream', upstream);
  server.kill();
  const replayed = await run('--replay');
  const [before, after] = [recorded, replayed].map(({ out }) => out.trim().split('\n'));
  const changed = (before ?? []).filter((line, at) => line !== after?.[at]);
  const told = limits.every((limit) => recorded.err.includes(limit)) && limits.length > 0;
  const isWrong = !told && (recorded.code !== 0 || before?.length !== after?.length || changed.length > 0);
  if (isWrong) wrong += 1;
  console.log(
    `${isWrong ? 'WRONG ' : '      '}${format.id}: ${before?.length} lines, ${changed.length} differ${told ? `, told before: ${limits.join(', ')}` : ''}; codes ${recorded.code} ${replayed.code}`,
  );
  if (isWrong)
    for (const line of changed.slice(0, 10)) console.log(`    ${line}\n    ${after?.[before?.indexOf(line) ?? 0]}`);
  if (isWrong) console.log(recorded.err.slice(0, 600), replayed.err.slice(0, 1200));
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  wrong === 0 ? 'ok: every body is replayed as it came, or was told' : `${wrong} formats lose something silently`,
);
process.exitCode = wrong === 0 ? 0 : 1;

/** @param {NodeJS.ReadableStream} stream */
async function* firstLine(stream) {
  for await (const line of createInterface({ input: stream })) {
    yield line;
    return;
  }
}

/** @param {string} folder @param {string[]} args @returns {Promise<{ code: number, out: string, err: string }>} */
function tapedeck(folder, args) {
  return new Promise((done) => {
    const env = { ...process.env, NO_COLOR: '1', XDG_STATE_HOME: join(folder, 'state') };
    execFile(process.execPath, [engine, ...args], { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}
