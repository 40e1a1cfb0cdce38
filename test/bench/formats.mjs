// MB/s of reading tapes, for each format, against the limit measured in the same run on the same texts: JSON.parse (of
// every line, for JSONL), or the `yaml` package's own parse. Then a JSON tape of 100 MB, in processes of their own, for
// time and memory. What is measured is the corpus: without one there is only the large tape. For a format that it does
// not have, its cassettes are written in that format, or our own sample is taken.
//
// "read" is what a list of tapes needs: the format is recognised, all of the text is read and found to be in order, and
// every interaction is found with its place. What the interactions say (bodies decoded and understood, schemas, hashes)
// is read when it is asked for: "all" is the ratio with that too, for information.
//
// Speed is measured on at least LEAST bytes a file: the lists in smaller files are repeated until they have that. The
// files as they are, some of them smaller than what can be timed, are beside it as microseconds a file.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { build } from 'esbuild';
import { LEAST, limitOf } from './formatLimits.mjs';

const ROUNDS = 5;
/** So much text a format and round, by reading files several times: */
const ROUND_BYTES = 1_500_000;
/**
 * and for so many milliseconds, where reading is faster than that. What V8 compiles beside us takes a few of them, and is
 * no part of reading: of rounds of three milliseconds, one in three took twice as long as its neighbours.
 */
const ROUND_MS = 25;
const LARGEST_BYTES = 2_500_000;
const MB = 1e6;

const project = join(import.meta.dirname, '../..');
const corpus = [process.env.TAPEDECK_CORPUS, join(project, '../shared/corpus')].find(
  (path) => path && existsSync(path),
);
const out = join(project, 'out/bench');
const bundle = join(out, `formats-${process.pid}.cjs`);
mkdirSync(out, { recursive: true });
try {
  await build({
    stdin: {
      contents:
        "export * from './tapeFile'; export * from './readTape'; export * from './registry'; export * from '../../../test/soak/samples';",
      resolveDir: join(project, 'src/core/tapes'),
      loader: 'ts',
    },
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', minify: true, logLevel: 'warning' },
    // Of the samples, which read files beside the source.
    define: { 'import.meta.dirname': JSON.stringify(join(project, 'test/soak')) },
    outfile: bundle,
  });
  if (corpus === undefined) console.log('NOT MEASURED, format by format: there is no corpus; set TAPEDECK_CORPUS');
  else await compareFormats(createRequire(import.meta.url)(bundle), corpus);
  measureLarge();
} finally {
  rmSync(bundle, { force: true });
}

async function compareFormats(reader, folder) {
  const { decodeTapeFile, detectFormat, formats } = reader;
  const groups = new Map(formats.map(({ id }) => [id, []]));
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!statSync(path).isFile() || statSync(path).size > LARGEST_BYTES) continue;
    const file = decodeTapeFile(relative(folder, path), readFileSync(path));
    const format = detectFormat(file);
    if (format !== undefined) groups.get(format.id).push(file);
  }
  for (const format of formats)
    if (groups.get(format.id).length === 0) groups.set(format.id, madeFor(format, groups, reader));
  console.log(
    `\nmedians of ${ROUNDS}, in MB/s; the ratios are times against the limit's; µs: a file as it is, limit and ours`,
  );
  print(['format', 'files', 'KB each', 'limit', 'of it', 'read', 'ratio', 'bar', 'all', 'µs']);
  const isInOrder = (file) =>
    detectFormat(file)
      ?.read(file)
      .problems.every(({ severity }) => severity !== 'error');
  for (const [id, files] of groups) {
    const limits = grouped(files, (file) =>
      limitOf(file, (text) => isInOrder(decodeTapeFile(file.path, Buffer.from(text)))),
    );
    for (const [limit, those] of limits) print(await row(id, limit, those, { decodeTapeFile, detectFormat }));
    if (files.length === 0) print([id, 0, '', '', '', '', '', 'no files', '', '']);
  }
}

async function row(id, { name, parse, bar, grow }, files, { decodeTapeFile, detectFormat }) {
  const grown = files.map((file) => grownFile(file, grow, { decodeTapeFile, detectFormat }, id));
  const read = (file) => detectFormat(file).read(file);
  const all = (file) => read(file).problems;
  readBroken(grown, { decodeTapeFile, detectFormat });
  const [limit, ours] = await medians(grown, [parse, read]);
  const [full] = await medians(files, [all], 2);
  const [smallLimit, small] = await medians(files, [parse, read]);
  const bytes = grown.reduce((sum, { text }) => sum + text.length, 0);
  const speed = (ms) => (bytes / MB / (ms / 1000)).toFixed(1);
  const ratio = ours / limit;
  const met = bar === undefined ? '' : ratio <= bar ? 'met' : `MISSED (${bar})`;
  const kilobytes = (bytes / grown.length / 1000).toFixed(1);
  const micros = (ms) => ((ms / files.length) * 1000).toFixed(1);
  return [
    ...[id, files.length, kilobytes, name, speed(limit), speed(ours), ratio.toFixed(2), met],
    ...[(full / smallLimit).toFixed(2), `${micros(smallLimit)} ${micros(small)}`],
  ];
}

/** Files that end too early, as people have them too: what the engine learns from them must not slow the others down. */
function readBroken(files, { decodeTapeFile, detectFormat }) {
  for (const { path, text } of files)
    for (const part of [0.9, 0.7, 0.5, 0.3]) {
      const file = decodeTapeFile(path, Buffer.from(text.slice(0, text.length * part)));
      detectFormat(file)?.read(file);
    }
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** For a format that the corpus does not have: the calls of its cassettes, written in it; or our sample of the format. */
function madeFor(format, groups, { decodeTapeFile, detectFormat, samples }) {
  if (format.serialise === undefined) {
    const own = samples.map(({ path, text }) => decodeTapeFile(path, Buffer.from(text)));
    return own.filter((file) => detectFormat(file) === format);
  }
  const cassettes = groups.get('vcrpy').map((file) => detectFormat(file).read(file).interactions.map(recorded));
  return [decodeTapeFile('made.yaml', Buffer.from(format.serialise('made', cassettes.flat())))];
}

function recorded({ kind, request, response, http, timing }) {
  return { kind, request, response, http, timing };
}

/** Milliseconds for all files, by each action: their rounds alternate, so that they have the same weather. */
async function medians(files, actions, rounds = ROUNDS) {
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  const least = Math.max(1, Math.round(ROUND_BYTES / bytes));
  const times = [];
  for (const action of actions) {
    await timed(least, files, action);
    const ms = await timed(least, files, action);
    times.push(Math.ceil(least * Math.max(1, ROUND_MS / ms)));
  }
  const samples = actions.map(() => []);
  for (let round = 0; round < rounds + 1; round += 1)
    for (const [index, action] of actions.entries()) samples[index].push(await timed(times[index], files, action));
  return samples.map((sample, index) => median(sample.slice(1)) / times[index]);
}

/** The file with more of the same in it: of the same format, and still read by its limit. */
function grownFile(file, grow, { decodeTapeFile, detectFormat }, id) {
  if (file.text.length >= LEAST || grow === undefined || file.gzipHeader) return file;
  const larger = decodeTapeFile(file.path, Buffer.from(grow(file.text)));
  return detectFormat(larger)?.id === id ? larger : file;
}

/**
 * Milliseconds of the processor: what else the machine does is not counted. Each file is read in a task of its own, since
 * within one the answers about a text are kept.
 */
async function timed(times, files, action) {
  const start = process.cpuUsage();
  for (let left = times; left > 0; left -= 1) {
    for (const file of files) {
      action(file);
      await nextTask();
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}

function print([name, ...cells]) {
  const widths = [6, 9, 8, 9, 9, 8, 12, 7, 18];
  console.log(`  ${String(name).padEnd(22)}${cells.map((cell, at) => String(cell).padStart(widths[at])).join('')}`);
}

/** Each reading in a process of its own, so that what one leaves behind is not what the other takes. */
function measureLarge() {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-large-'));
  const tape = join(folder, 'large.tape.json');
  const child = (...args) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=3000', join(import.meta.dirname, 'largeTape.cjs'), ...args],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`largeTape.cjs ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
  try {
    child('write', tape);
    console.log(
      `\na MoFA tape of ${(statSync(tape).size / MB).toFixed(0)} MB, medians of 5 processes (bar of index: 2 in both)`,
    );
    print(['', '', 'ms', 'ratio', 'peak MB', 'ratio']);
    const results = { 'JSON.parse': [], index: [], all: [] };
    for (let round = 0; round < 5; round += 1)
      for (const [name, list] of Object.entries(results)) list.push(JSON.parse(child(name, tape, bundle)));
    const medians = Object.entries(results).map(([name, list]) => [
      name,
      median(list.map(({ ms }) => ms)),
      median(list.map(({ peak }) => peak)),
    ]);
    const [[, limitMs, limitPeak]] = medians;
    for (const [name, ms, peak] of medians)
      print([
        name,
        '',
        ms.toFixed(0),
        (ms / limitMs).toFixed(2),
        (peak / MB).toFixed(0),
        (peak / limitPeak).toFixed(2),
      ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
