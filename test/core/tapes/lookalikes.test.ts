import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { encodeBase64 } from '../../../src/core/bytes/base64';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../src/core/model/http';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { convertTape } from '../../../src/core/tapes/convert';
import { formatById, formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { limitsOf, unheldIn } from '../../../src/core/tapes/unheld';
import { isRecordable, newTapeFile, type WritableFormat } from '../../../src/core/tapes/writableFormat';
import { verifyFile } from '../../../src/core/verify/verifyFile';
import { bodyFromBytes, contentBytes } from '../../../src/core/wire/body/body';

const JSON_BYTES = Buffer.from('{"rows": [1, 2, 3], "text": "As it was sent, with an \u00e9."}');
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const base64 = (bytes: Uint8Array): Buffer => Buffer.from(encodeBase64(bytes));

/** What is taken for something else by its first bytes, though nothing says that it is. */
const LOOKALIKES: readonly (readonly [name: string, bytes: Uint8Array, type?: string, encoding?: string])[] = [
  ['a gzip file', gzipSync(JSON_BYTES), 'application/gzip'],
  ['a gzip file that is called JSON', gzipSync(JSON_BYTES), 'application/json'],
  ['a gzip file that is called a picture', gzipSync(JSON_BYTES), 'image/png'],
  ['a gzip file without a type', gzipSync(JSON_BYTES)],
  ['a gzip file in a gzip file', gzipSync(gzipSync(JSON_BYTES)), 'application/gzip'],
  ['a gzip file that HTTP compressed', gzipSync(gzipSync(JSON_BYTES)), 'application/gzip', 'gzip'],
  ['a gzip file that HTTP compressed with brotli', brotliCompressSync(gzipSync(JSON_BYTES)), 'text/csv', 'br'],
  ['a gzip file of identity', gzipSync(JSON_BYTES), 'application/gzip', 'identity'],
  ['a gzip file whose end is missing', gzipSync(JSON_BYTES).subarray(0, -9), 'application/gzip'],
  ['an archive', gzipSync(Buffer.concat([Buffer.from('a.txt'), Buffer.alloc(507), JSON_BYTES])), 'application/x-tar'],
  ['a zstd file', hex('28b52ffd201e4d0000186162630100866e08'), 'application/zstd'],
  ['a zlib file', deflateSync(JSON_BYTES), 'application/octet-stream'],
  ['a brotli file', brotliCompressSync(JSON_BYTES), 'application/octet-stream'],
  ['noise after the magic of gzip', hex('1f8b08005bb6116cc7227dd833ae'), 'application/octet-stream'],
  ['noise after the magic of zstd', hex('28b52ffd005bb6116cc7227dd833ae'), 'application/octet-stream'],
  ['sound that begins like zlib', hex('789c00254a6f94b9de03284d97bc'), 'audio/pcm'],
  ['a message of protobuf that begins like zlib', hex('081d1203fffefd1801'), 'application/x-protobuf'],
  ['base64 of gzip', base64(gzipSync(JSON_BYTES)), 'text/plain'],
  ['base64 of gzip as a string of JSON', Buffer.from(`"${base64(gzipSync(JSON_BYTES))}"`), 'application/json'],
  ['base64 of noise after the magic of gzip', base64(hex('1f8b08005bb6116cc7227dd833aebb11')), 'text/plain'],
  ['base64 of text', base64(JSON_BYTES), 'text/plain'],
  ['the magic of gzip as characters', Buffer.from('\x1f\u008b\b and so on, a text'), 'text/plain'],
  ['a byte order mark', Buffer.from('\ufeff{"a": 1}'), 'application/json'],
  ['UTF-16', Buffer.from('\ufeffdata: {"a": 1}', 'utf16le'), 'text/plain'],
  ['a text that begins like an event', Buffer.from('data: not an event\nof a stream'), 'text/plain'],
  ['a text that begins like a data URL', Buffer.from('data:text/plain;base64,aGVsbG8='), 'text/plain'],
  ['a text that looks like JSON', Buffer.from('{ "a" : 1.0 }\n'), 'text/plain'],
  ['lines that look like JSON', Buffer.from('{"a": 1}\n{"b":  2}\n'), 'text/plain'],
  ['a number', Buffer.from('1e400'), 'text/plain'],
  ['a text of digits of hexadecimal', Buffer.from('68656c6c6f20776f726c64'), 'text/plain'],
  ['nothing that HTTP compressed', gzipSync(''), 'text/plain', 'gzip'],
];

function stored(bytes: Uint8Array, type?: string, encoding?: string): Partial<HttpExchange> {
  const responseHeaders: HttpHeader[] = [
    ...(type === undefined ? [] : [['content-type', type] as const]),
    ...(encoding === undefined ? [] : [['content-encoding', encoding] as const]),
  ];
  return { responseHeaders, responseBody: bodyFromBytes(bytes) };
}

function interaction(
  exchange: Partial<HttpExchange>,
  at: number,
): RecordedInteraction & { readonly http: HttpExchange } {
  const none: HttpBody = { type: 'none' };
  return {
    kind: 'http',
    http: {
      method: 'GET',
      url: `https://files.example/${at}`,
      requestHeaders: [],
      requestBody: none,
      status: 200,
      responseHeaders: [],
      responseBody: none,
      ...exchange,
    },
  };
}

const RECORDED = LOOKALIKES.map(([, ...response], at) => interaction(stored(...response), at));
const contents = (interactions: readonly RecordedInteraction[]): Buffer[] =>
  interactions.flatMap(({ http }) =>
    http === undefined ? [] : [Buffer.from(contentBytes(http.responseBody, http.responseHeaders))],
  );
const RECORDABLE = formats.filter(isRecordable);
const STORES_HTTP = RECORDABLE.filter((format) => limitsOf(format)[0] !== 'requests other than model calls');
const HOLDS_ALL = RECORDABLE.filter((format) => limitsOf(format).length === 0);

function recordable(id: string): WritableFormat {
  const format = formatById(id);
  assert.ok(isRecordable(format));
  return format;
}

describe('bytes that look like what they are not', () => {
  for (const format of STORES_HTTP) {
    it(`come back from ${format.id} as they were, or are named as what it does not hold`, () => {
      const file = newTapeFile(format, 'n', RECORDED);
      const { interactions } = format.read(file);
      const lost = new Set(unheldIn(format, RECORDED, interactions).map(({ index }) => index));
      if (HOLDS_ALL.includes(format)) assert.deepEqual([...lost], []);
      const before = contents(RECORDED);
      const after = contents(interactions);
      // One format keeps the value of JSON, not its spaces.
      const isParsed = (at: number): boolean =>
        interactions[at]?.http?.responseBody.type === 'json' && LOOKALIKES[at]?.[2] === 'application/json';
      for (const [at, [name]] of LOOKALIKES.entries())
        if (!lost.has(at) && !isParsed(at))
          assert.deepEqual(after[at]?.toString('latin1'), before[at]?.toString('latin1'), name);
    });

    it(`are no problem of a tape of ${format.id}`, () => {
      const files = LOOKALIKES.flatMap(([name], at) => {
        const recorded = RECORDED.slice(at, at + 1);
        const file = newTapeFile(format, 'n', recorded);
        return unheldIn(format, recorded, format.read(file).interactions).length === 0 ? [[name, file] as const] : [];
      });
      for (const [name, file] of files) {
        const told = verifyFile(decodeTapeFile(file.path ?? 'a', file.bytes))?.findings ?? [];
        assert.deepEqual(
          told.filter(({ rule }) => rule === 'format').map(({ message }) => message),
          [],
          name,
        );
      }
    });
  }

  it('stay the same from format to format', () => {
    let tape = recordable('vcrpy').read(newTapeFile(recordable('vcrpy'), 'n', RECORDED));
    for (const id of ['har', 'tapedeck', 'polly-har', 'go-vcr', 'ruby-vcr', 'httprr', 'r-vcr', 'vcrpy'])
      tape = recordable(id).read(convertTape(tape, 'n', recordable(id)).file);
    assert.deepEqual(
      contents(tape.interactions).map((bytes) => bytes.toString('latin1')),
      contents(RECORDED).map((bytes) => bytes.toString('latin1')),
    );
  });
});
