// Plants secrets into tapes of every format, and asks `verify` for each: into recorded tapes that have none, and by way of
// cassettes that are written by hand and converted.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { cassetteOf, plantedItems } from './cassette.mjs';
import { item, RAW_PLACES, WRITTEN_PLACES } from './places.mjs';
import { indexOf, secretsIn } from './search.mjs';
import { pieces, SecretMaker, WRITINGS } from './secrets.mjs';
import { STREAMS } from './streams.mjs';
import { tapeName } from './workshop.mjs';

/** Characters that are recorded as they are, and each stand for one of a secret: so secrets get to where a recorder would hide them. */
const AWAY = 0x4e00;

/** @param {string} text */
const away = (text) =>
  Array.from(text, (character) => String.fromCharCode(AWAY + (character.codePointAt(0) ?? 0))).join('');
/** @param {string} text */
const back = (text) =>
  text
    .replace(/[\u4e00-\u4e7f]/g, (character) => String.fromCharCode(character.charCodeAt(0) - AWAY))
    .replace(/\\u4e([0-7][0-9a-f])/gi, '\\u00$1')
    .replace(/%E4%B8%([89AB][0-9A-F])|%E4%B9%([89AB][0-9A-F])/gi, (_, low, high) =>
      String.fromCharCode(Number.parseInt(low ?? high, 16) - 0x80 + (low ? 0 : 0x40)),
    );

/** The text of a tape with its secrets, also in base64 and in gzip. @param {string} text */
function planted(text) {
  const inRun = (/** @type {string} */ run) => {
    const inner = plantedBytes(Buffer.from(run.replace(/\s/g, ''), 'base64'));
    return inner === undefined ? run : inner.toString(/[-_]/.test(run) ? 'base64url' : 'base64');
  };
  // YAML folds long base64.
  const unfolded = text.replace(/[A-Za-z0-9+/]{70,}(?:\n +[A-Za-z0-9+/]+={0,2})+(?=\n)/g, inRun);
  return back(unfolded.replace(/[A-Za-z0-9+/_-]{16,}={0,2}/g, inRun));
}

/** @param {Buffer} bytes @returns {Buffer | undefined} */
function plantedBytes(bytes) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      return gzipSync(planted(gunzipSync(bytes).toString()));
    } catch {
      return undefined;
    }
  }
  const text = bytes.toString();
  if (/[\u4e00-\u4e7f]{3}/.test(text) && !text.includes('\ufffd')) return Buffer.from(back(text));
  const wide = bytes.toString('utf16le');
  if (/[\u4e20-\u4e7f]{8}/.test(wide)) return Buffer.from(back(wide), 'utf16le');
  return undefined;
}

/** @param {SecretMaker} maker @param {number} count */
function plantItems(maker, count) {
  /** @type {any[]} */
  const items = [];
  const writings = Object.entries(WRITINGS);
  const add = (/** @type {string} */ place, /** @type {string} */ secret, /** @type {any} */ one) =>
    items.push({ ...one, place, secret });
  for (let round = 0; items.length < count; round += 1) {
    const kind = round % 3 === 2 ? 'pattern' : 'shape';
    for (const [name, stream] of Object.entries(STREAMS)) {
      // The length of a frame would change; what is compressed is not recorded as it came.
      if (stream.api === 'bedrock' || stream.encoding !== undefined) continue;
      const id = `r${9000 + items.length}x`;
      const secret = maker.make(name, kind);
      const size = 1 + (round % 9);
      const request = JSON.stringify(stream.request).replace('go', `go ${id}`);
      const body = stream.write(pieces(`The key is ${away(secret)}, keep it.`, size));
      const one = item(id, name, { api: stream.api, path: stream.path, sent: Buffer.from(request) });
      add(`stream: ${name}, in pieces of ${size}`, secret, {
        ...one,
        response: { status: 200, headers: { 'content-type': stream.type }, pieces: [body.toString('base64')] },
      });
    }
    for (const [at, [place, put]] of Object.entries(WRITTEN_PLACES).entries()) {
      if (place.includes('gzip') || place.includes(': br')) continue;
      const [writing = 'plain', write = String] = writings[(round + at) % writings.length] ?? [];
      const secret = maker.make(place, kind);
      add(`${place}, ${writing}`, secret, item(`r${9000 + items.length}x`, place, put(write(away(secret)))));
    }
    for (const [place, put] of Object.entries(RAW_PLACES)) {
      if (/octets|header/.test(place)) continue;
      const secret = maker.make(place, kind);
      add(place, secret, item(`r${9000 + items.length}x`, place, put(away(secret))));
    }
  }
  return items;
}

/**
 * A tape with secrets in it.
 * @typedef {{ path: string, format: string, text: string, there: { id: string, place: string, secret: string }[] }} PlantedTape
 */

/** @param {import('./workshop.mjs').Workshop} workshop @param {(items: any[]) => Promise<string>} openUpstream @param {{ recorded: readonly string[], scripts: readonly string[] }} formats @param {number} count @param {string[]} failures */
export async function plantAndVerify(workshop, openUpstream, formats, count, failures) {
  const maker = new SecretMaker();
  for (const folder of ['clean', 'planted', 'written'])
    mkdirSync(join(workshop.folder, 'inputs', folder), { recursive: true });
  const recorded = await plantInRecorded(workshop, openUpstream, formats.recorded, plantItems(maker, count));
  const converted = await plantByConverting(workshop, [...formats.recorded, ...formats.scripts], maker, failures);
  const tapes = [...recorded, ...converted];
  workshop.writeClient(maker.client);
  const environment = { ...workshop.environment, ...maker.environment };
  const alarms = await falseAlarms(workshop, environment, failures);
  const { found, all } = await verifyPlanted(workshop, environment, tapes, failures);
  await askForPlanted(
    workshop,
    environment,
    [...recorded, ...converted.filter(({ format }) => !/by hand/.test(format))],
    failures,
  );
  return { planted: all, found, clean: alarms.tapes, alarms: alarms.count, perFormat: perFormat(tapes) };
}

/** @param {import('./workshop.mjs').Workshop} workshop @param {(items: any[]) => Promise<string>} openUpstream @param {readonly string[]} formats @param {any[]} items */
async function plantInRecorded(workshop, openUpstream, formats, items) {
  workshop.upstream = await openUpstream(items);
  /** @type {PlantedTape[]} */
  const tapes = [];
  const SIZE = 78;
  // Its lengths would be wrong.
  const spelled = formats.filter((format) => format !== 'httprr');
  for (let at = 0; at * SIZE < items.length; at += 1) {
    const group = items.slice(at * SIZE, (at + 1) * SIZE);
    const format = spelled[at % spelled.length] ?? 'tapedeck';
    const path = `inputs/clean/${tapeName(`${format}-${at}`, format)}`;
    if (!(await workshop.record(path, format, group))) continue;
    const { text, isPacked } = tapeText(join(workshop.folder, path));
    if (text.includes('\0')) continue;
    const dirty = planted(text);
    const target = path.replace('clean', 'planted');
    writeFileSync(join(workshop.folder, target), isPacked ? gzipSync(dirty) : dirty);
    tapes.push(plantedTape(target, format, dirty, group));
  }
  return tapes;
}

/** @param {import('./workshop.mjs').Workshop} workshop @param {readonly string[]} formats @param {SecretMaker} maker @param {string[]} failures */
async function plantByConverting(workshop, formats, maker, failures) {
  /** @type {PlantedTape[]} */
  const tapes = [];
  for (const [turn, format] of formats.entries()) {
    const items = plantedItems(maker, 10 + turn);
    for (const kind of /** @type {const} */ (['dirty', 'clean'])) {
      const cassette = `inputs/written/${kind}-${turn}.yaml`;
      writeFileSync(join(workshop.folder, cassette), cassetteOf(items.map((one) => one[kind])));
      const folder = kind === 'dirty' ? 'planted' : 'clean';
      const path = `inputs/${folder}/${tapeName(`converted-${format}`, format)}`;
      const { code, said } = await workshop.engine(`plant-${kind}-${format}`, [
        'convert',
        cassette,
        path,
        '--to',
        format,
      ]);
      if (code !== 0) failures.push(`convert to ${format} ended with ${code}: ${said.slice(0, 500)}`);
      else if (kind === 'dirty')
        tapes.push(plantedTape(path, format, tapeText(join(workshop.folder, path)).text, items));
    }
    const { text } = tapeText(join(workshop.folder, `inputs/written/dirty-${turn}.yaml`));
    const { there } = plantedTape('', format, text, items);
    tapes.push({ path: `inputs/written/dirty-${turn}.yaml`, format: 'vcrpy by hand', text, there });
    for (const one of items.filter((other) => !there.includes(other)))
      failures.push(`not planted by hand: ${one.place}`);
  }
  return tapes;
}

/** @param {string} path */
function tapeText(path) {
  const bytes = readFileSync(path);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return { text: (isPacked ? gunzipSync(bytes) : bytes).toString(), isPacked };
}

/** A format has no place for some of them, and some cannot be planted into its spelling. @param {string} path @param {string} format @param {string} text @param {readonly { id: string, place: string, secret: string }[]} items @returns {PlantedTape} */
function plantedTape(path, format, text, items) {
  const there = new Set(secretsIn(Buffer.from(text), indexOf(items.map(({ secret }) => secret))));
  return { path, format, text, there: items.filter(({ secret }) => there.has(secret)) };
}

/** @param {import('./workshop.mjs').Workshop} workshop @param {Record<string, string>} environment @param {string[]} failures */
async function falseAlarms(workshop, environment, failures) {
  const { said } = await workshop.engine('verify-clean', ['verify', 'inputs/clean', '--json'], environment);
  const tapes = secretsOf(said);
  const alarms = tapes.flatMap(({ path, problems }) => problems.map(({ message }) => `${path}: ${message}`));
  for (const alarm of alarms) failures.push(`a false alarm of verify: ${alarm}`);
  return { tapes: tapes.length, count: alarms.length };
}

/**
 * A private key is reported with the length of what it says, not of how it is written: of those that stand apart, all have to be found.
 * @param {{ readonly place: string }} item
 */
const isKey = ({ place }) => place.startsWith('a private key');

/**
 * The length that is told of a secret: of an address, that of its key alone, and of a bot's token, with the number before it.
 * @param {{ readonly place: string, readonly secret: string }} item
 */
function toldLength({ place, secret }) {
  const told = /^https:\/\/([^@]+)@/.exec(secret)?.[1] ?? secret;
  return told.length + (place.includes('Telegram') ? 10 : 0);
}

/** @param {import('./workshop.mjs').Workshop} workshop @param {Record<string, string>} environment @param {readonly PlantedTape[]} tapes @param {string[]} failures */
async function verifyPlanted(workshop, environment, tapes, failures) {
  const args = [
    'verify',
    'inputs/planted',
    ...tapes.map(({ path }) => path).filter((path) => path.includes('written')),
    '--json',
  ];
  const { said } = await workshop.engine('verify-planted', args, environment);
  const verified = new Map(secretsOf(said).map((one) => [one.path, one.problems]));
  let [found, all] = [0, 0];
  for (const { path, format, text, there } of tapes) {
    const { said: shown } = await workshop.engine(`inspect-${path.replaceAll('/', '-')}`, ['inspect', path, '--json']);
    const interactions = JSON.parse(shown.slice(shown.indexOf('{'))).interactions;
    for (const one of there) {
      all += 1;
      const own = interactions.find((/** @type {any} */ { source }) =>
        new RegExp(`\\b${one.id}\\b`).test(text.slice(source.start, source.end)),
      );
      const problems = verified.get(path) ?? [];
      // The responses of langchain stand apart from the requests that they belong to.
      const isApart = own === undefined || format === 'langchain-gz';
      const isFound =
        isApart && isKey(one)
          ? problems.filter(({ message }) => message.includes('a private key')).length >= there.filter(isKey).length
          : problems.some(({ span, message }) =>
              isApart
                ? message.includes(`(${toldLength(one)} characters)`)
                : span.start < own.source.end && span.end >= own.source.start,
            );
      if (isFound) found += 1;
      else
        failures.push(
          `verify does not find: ${one.place}, in ${format} (${path})${process.env.SHOW ? ` ${one.secret}` : ''}`,
        );
    }
  }
  return { found, all };
}

/** Asks the tools for every planted interaction. @param {import('./workshop.mjs').Workshop} workshop @param {Record<string, string>} environment @param {readonly PlantedTape[]} tapes @param {string[]} failures */
async function askForPlanted(workshop, environment, tapes, failures) {
  const known = new Map(tapes.flatMap(({ there }) => there.map((one) => [one.secret, one.place])));
  const paths = tapes.map(({ path }) => path);
  await workshop.tools(paths, 'mcp-planted', environment);
  const told = readFileSync(join(workshop.folder, 'told/mcp-planted.txt'));
  for (const secret of secretsIn(told, indexOf(known.keys())))
    failures.push(`a model is told a planted secret: ${known.get(secret)}${process.env.SHOW ? ` ${secret}` : ''}`);
}

/** How many secrets are planted in tapes of each format. @param {readonly PlantedTape[]} tapes */
function perFormat(tapes) {
  const counts = new Map();
  for (const { format, there } of tapes) counts.set(format, (counts.get(format) ?? 0) + there.length);
  return [...counts].map(([format, count]) => `${format} ${count}`).join(', ');
}

/** @param {string} said @returns {{ path: string, problems: { span: { start: number, end: number }, message: string }[] }[]} */
function secretsOf(said) {
  const { tapes } = JSON.parse(said.slice(said.indexOf('{')));
  return tapes.map((/** @type {any} */ { path, problems }) => ({
    path,
    problems: problems.filter((/** @type {any} */ { rule }) => rule.startsWith('secret/')),
  }));
}
