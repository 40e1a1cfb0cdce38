// The exchanges of the canary soak: every place, writing and stream, until there are as many secrets as wanted.
import { writtenKeys } from './keys.mjs';
import { item, NAMED_PLACES, RAW_PLACES, WRITTEN_PLACES, wantedOf } from './places.mjs';
import { pieces, SecretMaker, WRITINGS } from './secrets.mjs';
import { STREAMS, streamHeaders } from './streams.mjs';

/** Writings of a secret in a stream: escapes only stand in the JSON of arguments. */
const STREAMED = ['plain', 'plain', 'base64 of a text', 'JSON in a text', 'escapes'];

/** @param {number} count */
export function makeItems(count) {
  const maker = new SecretMaker();
  /** By the text that must not be found. @type {Map<string, string>} */
  const wanted = new Map();
  /** `isNamed`: only its place tells that it is secret. @type {(import('./places.mjs').Item & { secret: string, isNamed?: boolean })[]} */
  const items = [];
  const add = (/** @type {string} */ place, /** @type {string} */ secret, /** @type {any} */ more) => {
    items.push({ ...item(`r${items.length}x`, place, more), secret });
    wanted.set(secret, maker.known.get(secret) ?? place);
  };
  for (let round = 0; wanted.size < count; round += 1) {
    for (const [name, stream] of Object.entries(STREAMS)) {
      const size = 1 + (round % 9);
      const writing = STREAMED[round % STREAMED.length] ?? 'plain';
      const place = `stream: ${name}, ${writing}, in pieces of ${size}`;
      const secret = maker.make(place);
      const text = WRITINGS[writing]?.(secret) ?? secret;
      const words = writing === 'plain' ? `The key is ${text}, keep it.` : text;
      const one = item(`r${items.length}x`, place, {
        api: stream.api,
        path: stream.path,
        sent: Buffer.from(JSON.stringify(stream.request)),
      });
      const body = stream.write(pieces(words, size));
      items.push({
        ...one,
        secret,
        response: { status: 200, headers: streamHeaders(stream), pieces: cut(body, 1 + (round % 9) * 7) },
      });
      wanted.set(secret, place);
    }
    const writings = Object.entries(WRITINGS);
    for (const [at, [place, put]] of Object.entries(WRITTEN_PLACES).entries()) {
      for (let step = 0; step < 3; step += 1) {
        const [writing = 'plain', write = (/** @type {string} */ text) => text] =
          writings[(round * 3 + step + at) % writings.length] ?? [];
        const where = `${place}, ${writing}`;
        const secret = maker.make(where);
        add(where, secret, put(write(secret)));
      }
    }
    for (const [place, put] of Object.entries(RAW_PLACES)) {
      const secret = maker.make(place);
      add(place, secret, put(secret));
    }
    for (const [at, { place, text, line }] of writtenKeys(round).entries()) {
      const put = WRITTEN_PLACES[at % 2 === 0 ? 'request: text' : 'response: tool arguments'];
      add(place, line, put?.(text));
      const last = items.at(-1);
      if (last !== undefined) last.isNamed = true;
    }
    for (const [place, put] of Object.entries(NAMED_PLACES)) {
      const secret = maker.make(place, place.includes('Telegram') ? 'token' : 'plain');
      add(place, wantedOf(place, secret), put(secret));
      const last = items.at(-1);
      if (last !== undefined) last.isNamed = true;
    }
  }
  return { items, maker, wanted };
}

/** A body as the network cuts it. @param {Buffer} body @param {number} size */
function cut(body, size) {
  const least = Math.max(size, Math.ceil(body.length / 40));
  return Array.from({ length: Math.ceil(body.length / least) }, (_, at) =>
    body.subarray(at * least, (at + 1) * least).toString('base64'),
  );
}
