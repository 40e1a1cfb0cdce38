// Plants secrets into tapes that have none, in every format, and asks `verify` for each.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
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
  const unpacked = text.replace(/[A-Za-z0-9+/_-]{16,}={0,2}/g, (run) => {
    const bytes = Buffer.from(run, 'base64');
    const inner = plantedBytes(bytes);
    return inner === undefined ? run : inner.toString(/[-_]/.test(run) ? 'base64url' : 'base64');
  });
  return back(unpacked);
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
      // The length of a frame would change.
      if (stream.api === 'bedrock') continue;
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

/** @param {import('./workshop.mjs').Workshop} workshop @param {(items: any[]) => Promise<string>} openUpstream @param {readonly string[]} formats @param {number} count @param {string[]} failures */
export async function plantAndVerify(workshop, openUpstream, formats, count, failures) {
  const maker = new SecretMaker();
  const items = plantItems(maker, count);
  workshop.upstream = await openUpstream(items);
  const clean = join(workshop.folder, 'inputs/clean');
  const dirty = join(workshop.folder, 'inputs/planted');
  for (const folder of [clean, dirty]) mkdirSync(folder, { recursive: true });
  /** @type {{ path: string, format: string, text: string, missing: any[] }[]} */
  const tapes = [];
  const SIZE = 78;
  // Its lengths would be wrong.
  const spelled = formats.filter((format) => format !== 'httprr');
  for (let at = 0; at * SIZE < items.length; at += 1) {
    const group = items.slice(at * SIZE, (at + 1) * SIZE);
    const format = spelled[at % spelled.length] ?? 'tapedeck';
    const path = `inputs/clean/${tapeName(`${format}-${at}`, format)}`;
    if (!(await workshop.record(path, format, group))) continue;
    const bytes = readFileSync(join(workshop.folder, path));
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const content = isPacked ? gunzipSync(bytes) : bytes;
    if (content.includes(0)) continue;
    const text = planted(content.toString());
    const target = path.replace('clean', 'planted');
    writeFileSync(join(workshop.folder, target), isPacked ? gzipSync(text) : text);
    // A format has no place for some of them, and some cannot be planted into its spelling.
    const there = new Set(secretsIn(Buffer.from(text), indexOf(group.map(({ secret }) => secret))));
    tapes.push({ path: target, format, text, missing: group.filter(({ secret }) => there.has(secret)) });
  }
  const { said: control } = await workshop.engine('verify-clean', ['verify', 'inputs/clean', '--json']);
  const alarms = secretsOf(control).flatMap(({ path, problems }) =>
    problems.map((/** @type {any} */ { message }) => `${path}: ${message}`),
  );
  for (const alarm of alarms) failures.push(`a false alarm of verify: ${alarm}`);
  const { said } = await workshop.engine('verify-planted', ['verify', 'inputs/planted', '--json']);
  const verified = new Map(secretsOf(said).map((one) => [one.path, one.problems]));
  let found = 0;
  let all = 0;
  for (const { path, format, text, missing } of tapes) {
    const { said: shown } = await workshop.engine(`inspect-${path.replaceAll('/', '-')}`, ['inspect', path, '--json']);
    const interactions = JSON.parse(shown.slice(shown.indexOf('{'))).interactions;
    for (const one of missing) {
      all += 1;
      const own = interactions.find((/** @type {any} */ { source }) =>
        new RegExp(`\\b${one.id}\\b`).test(text.slice(source.start, source.end)),
      );
      const problems = verified.get(path) ?? [];
      const isFound = problems.some(
        (/** @type {any} */ { span, message }) =>
          own === undefined ||
          (span.start < own.source.end && span.end >= own.source.start) ||
          // Its responses stand apart from the requests that they belong to.
          (format === 'langchain-gz' && message.includes(`(${one.secret.length} characters)`)),
      );
      if (isFound) found += 1;
      else
        failures.push(
          `verify does not find: ${one.place}, in ${format} (${path})${process.env.SHOW ? ` ${one.secret}` : ''}`,
        );
    }
  }
  await workshop.tools(
    tapes.map(({ path }) => path),
    'mcp-planted',
  );
  for (const secret of secretsIn(
    readFileSync(join(workshop.folder, 'told/mcp-planted.txt')),
    indexOf(items.map((one) => one.secret)),
  ))
    failures.push(
      `a model is told a planted secret: ${items.find((one) => one.secret === secret)?.place}${process.env.SHOW ? ` ${secret}` : ''}`,
    );
  return { planted: all, found, clean: tapes.length, alarms: alarms.length };
}

/** @param {string} said @returns {{ path: string, problems: any[] }[]} */
function secretsOf(said) {
  const { tapes } = JSON.parse(said.slice(said.indexOf('{')));
  return tapes.map((/** @type {any} */ { path, problems }) => ({
    path,
    problems: problems.filter((/** @type {any} */ { rule }) => rule.startsWith('secret/')),
  }));
}
