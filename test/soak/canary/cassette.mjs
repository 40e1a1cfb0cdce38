// Cassettes of vcrpy that are written by hand, with secrets in every place: nothing of the engine has seen them.
import { writtenKeys } from './keys.mjs';
import { item, NAMED_PLACES, RAW_PLACES, WRITTEN_PLACES } from './places.mjs';
import { pieces, WRITINGS } from './secrets.mjs';
import { STREAMS, streamHeaders } from './streams.mjs';

const HOSTS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  ollama: 'http://localhost:11434',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  cohere: 'https://api.cohere.com',
  other: 'https://api.example.com',
};

/** What stands where a secret was taken out. */
const REMOVED = 'REDACTED';
/** Places that are no secret by their name, so that only a secret that is known otherwise is found there. */
const UNTOLD = /unknown header|organization/;
const KINDS = /** @type {const} */ (['shape', 'environment', 'pattern', 'client']);

/**
 * An exchange with a secret in it, and the same without.
 * @typedef {{ id: string, place: string, secret: string, dirty: import('./places.mjs').Item, clean: import('./places.mjs').Item }} Planted
 */

/** One of every stream and place; `turn` chooses the writings, the sizes of pieces, and the kinds of secrets. @param {import('./secrets.mjs').SecretMaker} maker @param {number} turn @returns {Planted[]} */
export function plantedItems(maker, turn) {
  /** @type {Planted[]} */
  const planted = [];
  const add = (
    /** @type {string} */ place,
    /** @type {'shape' | 'environment' | 'client' | 'pattern' | 'plain' | 'token'} */ kind,
    /** @type {(id: string, text: string) => import('./places.mjs').Item} */ make,
  ) => {
    const id = `r${turn * 1000 + planted.length}x`;
    const secret = maker.make(place, kind);
    planted.push({ id, place, secret, dirty: make(id, secret), clean: make(id, REMOVED) });
  };
  const kindAt = (/** @type {number} */ at) => KINDS[(turn + at) % KINDS.length] ?? 'shape';
  for (const [at, [name, stream]] of Object.entries(STREAMS).entries()) {
    const size = 1 + ((turn + at) % 9);
    add(`stream: ${name}, in pieces of ${size}`, kindAt(at), (id, text) => streamItem(id, name, stream, text, size));
  }
  const writings = Object.entries(WRITINGS);
  for (const [at, [place, put]] of Object.entries(WRITTEN_PLACES).entries())
    for (const step of [0, 1]) {
      const [writing = 'plain', write = String] = writings[(turn * 2 + step + at) % writings.length] ?? [];
      add(`${place}, ${writing}`, kindAt(at + step), (id, text) => item(id, place, put(write(text))));
    }
  // A header is ASCII, unlike some secrets of the environment.
  for (const [at, [place, put]] of Object.entries(RAW_PLACES).entries())
    add(place, place.endsWith(': header') ? 'shape' : kindAt(at), (id, text) => item(id, place, put(text)));
  for (const [at, [place, put]] of Object.entries(NAMED_PLACES).entries()) {
    const kind = UNTOLD.test(place) ? kindAt(at) : place.includes('Telegram') ? 'token' : 'plain';
    add(place, kind, (id, text) => item(id, place, put(text)));
  }
  for (const [at, { place, text, line }] of writtenKeys(turn).entries()) {
    const put = WRITTEN_PLACES[at % 2 === 0 ? 'response: text' : 'request: tool result'];
    const id = `r${turn * 1000 + planted.length}x`;
    if (put !== undefined)
      planted.push({
        id,
        place,
        secret: line,
        dirty: item(id, place, put(text)),
        clean: item(id, place, put(REMOVED)),
      });
  }
  return planted;
}

/** @param {string} id @param {string} place @param {import('./streams.mjs').Stream} stream @param {string} secret @param {number} size */
function streamItem(id, place, stream, secret, size) {
  const body = stream.write(pieces(`The key is ${secret}, keep it.`, size));
  return {
    ...item(id, place, { api: stream.api, path: stream.path, sent: Buffer.from(JSON.stringify(stream.request)) }),
    response: { status: 200, headers: streamHeaders(stream), pieces: [body.toString('base64')] },
  };
}

/** @param {readonly import('./places.mjs').Item[]} items */
export function cassetteOf(items) {
  const interactions = items.map((one) => {
    const { id, api, path, method, headers, response } = one;
    const sent = Buffer.from(one.body ?? '', 'base64');
    const received = Buffer.concat(response.pieces.map((piece) => Buffer.from(piece, 'base64')));
    const uri = HOSTS[/** @type {keyof typeof HOSTS} */ (api)] + path;
    return `- request:
    body: ${content(sent, id)}
    headers: ${headerLists(headers)}
    method: ${method}
    uri: ${JSON.stringify(uri)}
  response:
    body:
      string: ${content(received, id)}
    headers: ${headerLists(response.headers)}
    status:
      code: ${response.status}
      message: x
`;
  });
  return `interactions:\n${interactions.join('')}version: 1\n`;
}

/** A body as a scalar of YAML. The model in it tells the exchange also where a format keeps no URL. @param {Buffer} bytes @param {string} id */
function content(bytes, id) {
  const text = bytes.toString();
  if (bytes.includes(0) || text.includes('\ufffd')) return `!!binary |\n        ${bytes.toString('base64')}`;
  return JSON.stringify(text.replaceAll('"model":"m"', `"model":"m-${id}"`));
}

/** @param {Record<string, string>} headers */
function headerLists(headers) {
  return JSON.stringify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])));
}
