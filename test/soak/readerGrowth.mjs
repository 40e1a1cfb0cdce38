#!/usr/bin/env node
// node test/soak/readerGrowth.mjs [FORMAT…]   how the cost of reading a tape grows, for every reader: the processor time of its transcript,
// read to the end, and of `verify`, at four sizes, each twice the one before. Prints the exponent of each; above 1.2, it ends with 1. Tapes
// are those that other writers make (edits/), logs of Claude Code, and the samples of all formats with their items many times.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import 'tsx/cjs';
import { nodeZlib } from '../../build/nodeZlib.mjs';
import { PROTOCOLS } from './edits/protocols.mjs';
import { SCRIPT_FORMATS } from './edits/scriptWriters.mjs';
import { CHAT_FORMATS, HTTP_FORMATS } from './edits/tapeWriters.mjs';
import { grown } from './growth/grownSamples.mjs';
import { claudeLog } from './growth/sessionLogs.mjs';

const require = createRequire(import.meta.url);
const { samples } = require('./samples.ts');
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-growth-'));
const probe = join(folder, 'probe.cjs');
await build({
  entryPoints: ['test/soak/growth/probe.ts'],
  outfile: probe,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  plugins: [nodeZlib],
});
const { decodeTapeFile, detectFormat, formats, openTranscript, verifyFile } = require(probe);
rmSync(folder, { recursive: true });

const STEEPEST = 1.2;
/** The first of the four sizes takes at least so long, and has so many bytes, that neither a start counts nor what is kept of a small tape: contents of 2 MB are, and read once (`ContentCache`). */
const LEAST_MS = 40;
const LEAST_BYTES = 2_400_000;
/** After that, it is measured once. */
const LONG_MS = 400;
const LARGEST = 24e6;
const wanted = process.argv.slice(2);

const WORDS = 'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ocean plaza'.split(
  ' ',
);
const words = (/** @type {number} */ at) =>
  Array.from({ length: 12 }, (_, word) => WORDS[(at * 7 + word * at + word) % 16]).join(' ');
const exchanges = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, at) =>
    PROTOCOLS.openai.call({
      system: 'You help.',
      asked: `Number ${at}: ${words(at)}`,
      said: `It is ${words(at + 3)}`,
      given: undefined,
    }),
  );

/** By name, each with a tape of so many items. @type {Map<string, { path: string, make: (count: number) => Uint8Array }>} */
const tapes = new Map();
for (const [name, { path, write }] of Object.entries({ ...HTTP_FORMATS, ...CHAT_FORMATS, ...SCRIPT_FORMATS }))
  tapes.set(name, { path, make: (count) => Buffer.from(write(exchanges(count), 0)) });
tapes.set('claude-code', { path: 'a.jsonl', make: (count) => Buffer.from(claudeLog(count)) });
for (const { path, text } of samples) {
  const format = detectFormat(decodeTapeFile(path, Buffer.from(text)));
  if (format === undefined || tapes.has(format.id)) continue;
  const make = grown(path, text, countOf);
  if (make !== undefined) tapes.set(format.id, { path, make: (count) => Buffer.from(make(count)) });
}

/** How many interactions a file has, by format. @param {string} path @param {string} text */
function countOf(path, text) {
  const file = decodeTapeFile(path, Buffer.from(text));
  const format = detectFormat(file);
  return { format: format?.id, count: format?.read(file).interactions.length ?? 0 };
}

/** @type {Record<string, (path: string, bytes: Uint8Array) => void>} */
const TASKS = {
  transcript: (path, bytes) => {
    const reader = openTranscript(decodeTapeFile(path, bytes));
    while (reader.advance());
    for (let at = 0; at < reader.length; at += 1) reader.passingBody(at);
    reader.problems;
  },
  verify: (path, bytes) => void verifyFile(decodeTapeFile(path, bytes)),
};

let steep = 0;
for (const [name, { path, make }] of tapes) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const [task, run] of Object.entries(TASKS)) {
    const found = measure(
      (count) => make(count),
      (bytes) => run(path, bytes),
    );
    if (found === undefined) continue;
    const { exponent, sizes, times } = found;
    if (exponent > STEEPEST) steep += 1;
    console.log(
      `${exponent > STEEPEST ? 'STEEP ' : '      '}${exponent.toFixed(2)}  ${task.padEnd(10)} ${name.padEnd(36)} ${times.map((ms) => `${Math.round(ms)}`).join(' ')} ms at ${sizes.map((size) => (size / 1e6).toFixed(2)).join(' ')} MB`,
    );
  }
}
const known = new Set(tapes.keys());
const missing = formats.filter((/** @type {{ id: string }} */ { id }) => !known.has(id));
if (wanted.length === 0)
  console.log(`not measured: ${missing.map((/** @type {{ id: string }} */ { id }) => id).join(', ') || 'none'}`);
console.log(
  steep === 0 ? 'ok: none grows with a higher exponent than 1.2' : `${steep} grow with a higher exponent than 1.2`,
);
process.exitCode = steep === 0 ? 0 : 1;

/** @param {(count: number) => Uint8Array} make @param {(bytes: Uint8Array) => void} run */
function measure(make, run) {
  let count = 40;
  for (let warm = 0; warm < 5; warm += 1) run(make(count));
  while (make(count).length < LEAST_BYTES || timeOf(make(count), run) < LEAST_MS) {
    if (make(count).length * 8 > LARGEST) break;
    count *= 2;
  }
  const all = [1, 2, 4, 8].map((factor) => make(count * factor));
  const times = all.map((bytes) => {
    const first = timeOf(bytes, run);
    return first > LONG_MS ? first : Math.min(first, timeOf(bytes, run), timeOf(bytes, run));
  });
  const logs = times.map((ms) => Math.log2(Math.max(ms, 1)));
  // The slope of the line with the least squares through the four.
  const exponent = [-1.5, -0.5, 0.5, 1.5].reduce((sum, x, at) => sum + x * (logs[at] ?? 0), 0) / 5;
  return { exponent, times, sizes: all.map(({ length }) => length) };
}

/** Milliseconds of the processor. @param {Uint8Array} bytes @param {(bytes: Uint8Array) => void} run */
function timeOf(bytes, run) {
  const before = process.cpuUsage();
  run(bytes);
  return process.cpuUsage(before).user / 1000;
}
