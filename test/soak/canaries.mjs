#!/usr/bin/env node
// node test/soak/canaries.mjs [COUNT]   puts COUNT secrets (1,500 by default), each another one, into every place of requests,
// responses and streams (in pieces of 1 to 9 characters), in every writing, and private keys in every layout, and has every recorder of the engine record them:
// `exec` and `serve` in every format, requests to own addresses, MCP servers, agents by command and by URL, the built-in agent, stability, resumed takes, test-dsl, the
// editor's rpc. Then every report is asked for, tools are called, tapes are converted. None may be in a file, in what a process
// prints, or in what a model is told, in whatever form it could be put together. In the end secrets are planted into tapes, and
// `verify` has to find each. KEEP=1 keeps the folder. Build the engine first: node esbuild.mjs node
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeItems } from './canary/items.mjs';
import { recordOwnAddresses, recordServer } from './canary/otherDoors.mjs';
import { plantAndVerify } from './canary/plant.mjs';
import { indexOf, secretsIn } from './canary/search.mjs';
import { openUpstream } from './canary/upstream.mjs';
import { tapeName, Workshop } from './canary/workshop.mjs';

const COUNT = Number(process.argv[2] ?? 1500);
const started = Date.now();
/** @type {string[]} */
const failures = [];

const { items, maker, wanted } = makeItems(COUNT);
for (const place of unseen()) failures.push(`the search itself does not find what the upstream sends: ${place}`);
const upstream = await openUpstream(items);
const workshop = new Workshop(maker.environment, upstream.address);
workshop.writeClient(maker.client);
const { recorded: formats, scripts } = await workshop.formats();
console.log(`${wanted.size} secrets in ${items.length} exchanges; formats: ${formats.join(', ')}`);

/** @type {(() => Promise<void>)[]} */
const jobs = [];
const SIZE = 78;
const groups = Array.from({ length: Math.ceil(items.length / SIZE) }, (_, at) =>
  items.slice(at * SIZE, (at + 1) * SIZE),
);
for (const [at, group] of groups.entries()) {
  const format = formats[at % formats.length] ?? 'tapedeck';
  const name = `${format}-${at}`;
  jobs.push(async () => {
    await workshop.exec(name, format, group, at % 4);
    if (at % 3 === 0) await workshop.serve(name, format, group);
    else if (at % 3 === 1) await workshop.command(name, group, at);
    else await workshop.service(name, group);
    if (at % 2 === 0) await recordOwnAddresses(workshop, name, format, group);
    else await recordServer(workshop, name, group);
  });
}
const chat = items.filter(
  ({ api, path, headers }) =>
    api === 'openai' && path.startsWith('/chat/completions?run=') && !('content-encoding' in headers),
);
const built = chat.map((one, at) =>
  workshop.builtInCase(`b${at}`, one, one.place.startsWith('stream') || at % 2 === 0),
);
jobs.push(() => workshop.builtIns(built));
// What was recorded until a recorder was killed: its journal, and the tape that is recovered from it.
for (const at of [0, 1, 2])
  jobs.push(async () => {
    const format = formats[(at * 7) % formats.length] ?? 'tapedeck';
    await workshop.serve(`killed-${at}`, format, groups[at] ?? [], 'SIGKILL');
    if (at > 0)
      await workshop.engine(`recover-${at}`, ['recover', '--save', `cases/${tapeName(`served-killed-${at}`, format)}`]);
  });
for (const at of [0, 1, 2]) jobs.push(() => workshop.rpc(`rpc${at}`, chat.slice(at * 10, at * 10 + 10)));

if (process.env.PLANT) jobs.length = 0;
let next = 0;
await Promise.all(
  Array.from({ length: Number(process.env.JOBS ?? cpus().length) }, async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      await jobs[at]?.();
      if (at % 25 === 24) console.log(`${at + 1} of ${jobs.length} recordings, ${seconds()} s`);
    }
  }),
);
if (!process.env.PLANT) await workshop.reports();
if (!process.env.PLANT) await workshop.tools();
upstream.close();
failures.push(...workshop.failures);

const files = readdirSync(workshop.folder, { recursive: true })
  .map((name) => join(workshop.folder, String(name)))
  .filter((path) => statSync(path).isFile() && !workshop.isInput(path));
const index = indexOf(wanted.keys());
let bytes = 0;
const perKind = new Map();
for (const path of files) {
  const content = readFileSync(path);
  bytes += content.length;
  for (const secret of secretsIn(content, index))
    failures.push(
      `${wanted.get(secret)}: in ${path.slice(workshop.folder.length + 1)} ${process.env.SHOW ? secret : ''}`,
    );
  const kind = path.includes('/told/')
    ? 'told to models'
    : path.includes('/said/')
      ? 'printed'
      : /\.tapedeck/.test(path)
        ? 'in .tapedeck'
        : 'beside the cases';
  perKind.set(kind, (perKind.get(kind) ?? 0) + 1);
}
console.log(
  `${files.length} files searched (${[...perKind].map(([kind, count]) => `${count} ${kind}`).join(', ')}), ${(bytes / 1e6).toFixed(1)} MB, ${workshop.runs} processes`,
);

/** @type {(() => void)[]} */
const closing = [];
const openPlanted = async (/** @type {any[]} */ planted) => {
  const { address, close } = await openUpstream(planted);
  closing.push(close);
  return address;
};
console.log(`${seconds()} s: ${new Set(failures).size} found in what was recorded; planting`);
show(failures);
const verified = await plantAndVerify(workshop, openPlanted, { recorded: formats, scripts }, COUNT, failures);
for (const close of closing) close();
console.log(
  `${verified.planted} secrets planted into tapes, ${verified.found} found by verify; ${verified.clean} clean tapes, ${verified.alarms} false alarms; planted: ${verified.perFormat}`,
);
if (process.env.KEEP) console.log(workshop.folder);
else rmSync(workshop.folder, { recursive: true, force: true });
const distinct = [...new Set(failures)];
writeFileSync(process.env.FAILURES ?? '/dev/null', distinct.join('\n'));
show(distinct);
console.log(
  distinct.length === 0
    ? `ok: none is on disk, printed, or told, and verify finds each (${seconds()} s)`
    : `${distinct.length} found (${seconds()} s)`,
);
process.exitCode = distinct.length === 0 ? 0 : 1;

/** The places of secrets that the search would not find if they were written as they came. */
function unseen() {
  const all = indexOf(wanted.keys());
  const order = [...wanted.keys()];
  return items.flatMap(({ place, path, headers, body = '', response }, at) => {
    const texts = [path, JSON.stringify([headers, response.headers])].map((text) => Buffer.from(text));
    const answer = Buffer.concat(response.pieces.map((piece) => Buffer.from(piece, 'base64')));
    const found = [...texts, Buffer.from(body, 'base64'), answer].flatMap((bytes) => secretsIn(bytes, all));
    return found.includes(order[at] ?? '') ? [] : [place];
  });
}

/** @param {readonly string[]} failed */
function show(failed) {
  for (const failure of [...new Set(failed)].slice(0, 40)) console.log(`FAILED: ${failure}`);
}

function seconds() {
  return Math.round((Date.now() - started) / 1000);
}
