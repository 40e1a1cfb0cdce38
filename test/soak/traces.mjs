#!/usr/bin/env node
// node test/soak/traces.mjs [PATTERN…]   Real exports of SDKs that trace agents: each runs an agent of ours against a model of ours, what
// it exports is read as a tape, and compared field by field with what its SDK sent and got. Names those that match a pattern only.
// With the engine built (node esbuild.mjs node), each run that has content also becomes a case, which has to replay.
// Packages are installed into the folder for temporary files when they are missing. Exit code 1 where anything differs.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import 'tsx/cjs';
import { differences } from './traces/compare.mjs';
import { PRODUCERS } from './traces/producers.mjs';
import { serveUpstream } from './traces/upstream.mjs';

const require = createRequire(import.meta.url);
const { decodeTapeFile } = require('../../src/core/tapes/tapeFile.ts');
const { detectFormat } = require('../../src/core/tapes/readTape.ts');

const ENGINE = resolve('dist/engine.js');
const patterns = process.argv.slice(2).map((text) => text.toLowerCase());
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-exports-'));
writeFileSync(join(folder, 'tapedeck.toml'), '');
let failed = 0;
let count = 0;
for (const producer of PRODUCERS) {
  if (patterns.length > 0 && !patterns.some((pattern) => producer.name.toLowerCase().includes(pattern))) continue;
  count += 1;
  const problems = await check(producer).catch((error) => [String(error?.stack ?? error)]);
  failed += problems.length === 0 ? 0 : 1;
  const gaps = producer.lacks === undefined ? '' : ` (does not write: ${producer.lacks.join(', ')})`;
  console.log(`${problems.length === 0 ? 'equal  ' : 'DIFFERS'} ${producer.name}${gaps}`);
  for (const problem of problems) console.log(`        ${problem}`);
}
rmSync(folder, { recursive: true });
console.log(`\n${count - failed} of ${count} producers: what was read is what was sent and got`);
process.exit(failed === 0 && count > 0 ? 0 : 1);

/** @param {import('./traces/producers.mjs').Producer} producer */
async function check(producer) {
  const command = await producer.install();
  const upstream = await serveUpstream();
  const file = join(folder, `${producer.name.replace(/\W+/g, '-')}.jsonl`);
  const { code, output } = await run(command, { ...producer.env, UPSTREAM: upstream.url, OUT: file });
  upstream.close();
  const exported = [upstream.observations, upstream.runs].find((known) => known.size > 0);
  if (exported !== undefined) writeFileSync(file, JSON.stringify([...exported.values()]));
  if (code !== 0 || !existsSync(file)) return [`exit code ${code}\n${output.slice(-2_000)}`];
  const tapeFile = decodeTapeFile(file, readFileSync(file));
  const format = detectFormat(tapeFile);
  if (format?.id !== producer.format) return [`is taken for ${format?.id ?? 'no tape'}`];
  if (upstream.asked.length !== (producer.calls ?? 4)) return [`asked the model ${upstream.asked.length} times`];
  return [
    ...differences(format.read(tapeFile), upstream.asked, producer),
    ...(producer.lacks?.includes('content') ? [] : await replayAsCase(file)),
  ];
}

/** Makes a case of an export, and replays it. @param {string} file */
async function replayAsCase(file) {
  if (!existsSync(ENGINE)) return [];
  const made = file.replace(/jsonl$/, 'toml');
  const converted = await run([process.execPath, ENGINE, 'convert', file, made, '--to', 'case'], {});
  if (converted.code !== 0) return [`no case: ${converted.output}`];
  const { code, output } = await run([process.execPath, ENGINE, 'run', made], {});
  return code === 0 && /2 of 2 requests exact/.test(output) ? [] : [`the case does not replay: ${output}`];
}

/** @param {string[]} command @param {Record<string, string>} env @returns {Promise<{ code: number | null, output: string }>} */
function run([program = '', ...args], env) {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    cwd: program === process.execPath ? folder : dirname(args[0] ?? ''),
    env: { PATH, HOME: folder, OPENAI_API_KEY: 'none', PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}
