import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../../src/core/bytes/base64';
import { DEFAULT_LIMITS } from '../../../../src/core/bytes/decompress';
import type { HttpHeader } from '../../../../src/core/model/http';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { base64Body, NO_BODY, textBody } from '../exchanges';

const TEXT = '{"answer":"Grüße, 🌍","n":18446744073709551615}';
const JSON_OF_TEXT = { answer: 'Grüße, 🌍', n: 18446744073709551615n };
const BYTES = new TextEncoder().encode(TEXT);
/** `zstd -19` and `zstd -3 --long=31` of one text, and `zstd -19` of three million zero bytes. */
const ZSTD =
  'KLUv/SRdTQIA0gQQFMDrflCV1/3yyW6bSMjY12pV8nVxskj5RXxmdbSCoAAztuPi0C10fB4OnYG9us3Fl/F7FN9kurc9EvHes1idxwEAHaRAAQUpmd0=';
const ZSTD_TEXT = '{"choices":[{"message":{"role":"assistant","content":"Hello hello hello hello, ünïcode"}}]}';
const ZSTD_BOMB =
  'KLUv/QRoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAzYOAAPJr9Y=';
const GZIP: HttpHeader[] = [['content-encoding', 'gzip']];
const ZSTD_CODED: HttpHeader[] = [['content-encoding', 'zstd']];

describe('decodeBody', () => {
  it('reads text, base64, parsed JSON and no body', () => {
    assert.equal(decodeBody(textBody(TEXT)).text, TEXT);
    assert.deepEqual(decodeBody(textBody(TEXT)).json, JSON_OF_TEXT);
    assert.deepEqual(decodeBody(textBody(TEXT)).bytes, BYTES);
    assert.deepEqual(decodeBody(base64Body(BYTES)).json, JSON_OF_TEXT);
    assert.deepEqual(decodeBody(base64Body(BYTES)).decodedFrom, ['base64']);
    assert.equal(decodeBody(NO_BODY).text, '');
    assert.equal(decodeBody(NO_BODY).json, undefined);
    assert.equal(decodeBody({ type: 'json', json: JSON_OF_TEXT }).text, TEXT);
  });

  it('trusts the bytes over the headers', () => {
    const packed: [string, Uint8Array][] = [
      ['gzip', gzipSync(BYTES)],
      ['zlib', deflateSync(BYTES)],
    ];
    for (const [name, bytes] of packed) {
      for (const header of [undefined, 'identity', 'br']) {
        const body = decodeBody(base64Body(bytes), header ? [['Content-Encoding', header]] : []);
        assert.equal(body.text, TEXT, name);
        assert.deepEqual(body.decodedFrom, ['base64', name]);
      }
    }
  });

  it('decompresses zstd', () => {
    assert.equal(decodeBody({ type: 'base64', base64: ZSTD }).text, ZSTD_TEXT);
    assert.deepEqual(decodeBody({ type: 'base64', base64: ZSTD }).decodedFrom, ['base64', 'zstd']);
  });

  it('decompresses two layers', () => {
    assert.equal(decodeBody(base64Body(gzipSync(gzipSync(BYTES)))).text, TEXT);
  });

  it('uses a header only for encodings without a magic number', () => {
    const raw = base64Body(deflateRawSync(BYTES));
    assert.equal(decodeBody(raw, [['content-encoding', 'deflate']]).text, TEXT);
    assert.equal(decodeBody(raw).text, undefined);
  });

  it('leaves text unchanged even if a header says that it is compressed', () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd'])
      for (const body of [textBody(TEXT), base64Body(BYTES)]) {
        const decoded = decodeBody(body, [['content-encoding', encoding]]);
        assert.equal(decoded.text, TEXT);
        assert.deepEqual(decoded.problems, []);
      }
  });

  it('detects gzip in text: as base64, and with one character per byte', () => {
    const packed = gzipSync(BYTES);
    assert.equal(decodeBody(textBody(encodeBase64(packed))).text, TEXT);
    assert.equal(decodeBody(textBody(packed.toString('latin1'))).text, TEXT);
  });

  it('decodes the character set that the header of a text names', () => {
    const bytes = Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65]);
    assert.equal(decodeBody(base64Body(bytes), [['content-type', 'text/plain; charset=ISO-8859-1']]).text, 'Grüße');
    assert.equal(decodeBody(base64Body(bytes), [['content-type', 'application/json']]).text, undefined);
  });

  it('reads JSON after a byte order mark', () => {
    assert.deepEqual(decodeBody(textBody('\ufeff{"a":1}')).json, { a: 1 });
    assert.deepEqual(decodeBody(base64Body(new TextEncoder().encode('\ufeff{"a":1}'))).json, { a: 1 });
  });

  it('reports data that cannot be decompressed, and keeps the bytes before the error', () => {
    const text = new TextEncoder().encode(`${'word '.repeat(10_000)}and its end, 0.36712267186050407`);
    for (const [pack, name, coding] of [
      [gzipSync, 'gzip', 'gzip'] as const,
      [deflateSync, 'zlib', 'deflate'] as const,
    ]) {
      const coded: HttpHeader[] = [['content-encoding', coding]];
      const whole = pack(text);
      for (let lost = 1; lost < 60; lost += 1) {
        const cut = decodeBody(base64Body(whole.subarray(0, whole.length - lost)), coded);
        assert.match(
          cut.problems.join(),
          new RegExp(`${name} data that cannot be decompressed`),
          `without ${lost} bytes`,
        );
        assert.ok(cut.text?.startsWith('word word'));
      }
    }
    const nothing = decodeBody(base64Body(Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2])), GZIP);
    assert.equal(nothing.problems.length, 1);
    assert.equal(nothing.bytes.length, 6);
  });

  it('detects a flipped bit in gzip by the checksum', () => {
    const whole = gzipSync(TEXT, { level: 0 });
    const changed = whole.map((byte, at) => (at === 20 ? byte ^ 1 : byte));
    assert.deepEqual(decodeBody(base64Body(whole), GZIP).problems, []);
    assert.match(decodeBody(base64Body(changed), GZIP).problems.join(), /its checksum is wrong/);
    const members = Buffer.concat([whole, gzipSync(TEXT)]);
    assert.equal(decodeBody(base64Body(members)).text, TEXT + TEXT);
  });

  it('reports invalid base64', () => {
    assert.deepEqual(decodeBody({ type: 'base64', base64: 'a$b' }).problems, ['The body is not valid base64.']);
  });

  it('stops at the limit', () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    const limited = decodeBody(base64Body(bomb), GZIP, { ...DEFAULT_LIMITS, maxBytes: 4 * 2 ** 20 });
    assert.match(limited.problems.join(), /decompresses to more than 4194304 bytes/);
    assert.ok(limited.bytes.length <= 4 * 2 ** 20);
    const thin = decodeBody({ type: 'base64', base64: ZSTD_BOMB }, ZSTD_CODED);
    assert.match(thin.problems.join(), /decompresses to more than 1048576 bytes/);
  });

  it('refuses zstd that asks for a huge window', () => {
    const frame = decodeBase64(ZSTD)?.slice() ?? new Uint8Array();
    // No single segment, and a window of 2^41 bytes.
    frame.set([0x04, 0xff], 4);
    assert.match(decodeBody(base64Body(frame), ZSTD_CODED).problems.join(), /requires a window/);
  });

  it('refuses zstd on which the decoder would loop forever', () => {
    const endless =
      '28b52ffd245d4d0200d2041014f0eb7e5095d7fdf2c96e9b48c8d8d76a55f27571b248f9457c6675b482a00033b6e3e2d02d747c1e0e9d81' +
      'bdbacdc597f17b14df64bab73d12f1deb3589dc701001da44001052999dd';
    const { problems } = decodeBody(base64Body(Buffer.from(endless, 'hex')), ZSTD_CODED);
    assert.match(problems.join(), /zstd data that cannot be decompressed: it has an invalid table/);
  });

  it('never throws and never hangs, whatever the bytes are', () => {
    const seeds = [gzipSync(BYTES), deflateSync(BYTES), brotliCompressSync(BYTES), decodeBase64(ZSTD) ?? BYTES];
    const mutated = fc
      .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }), fc.nat(300))
      .map(([seed, changes, length]) => {
        const bytes = Uint8Array.from(seed.subarray(0, Math.max(1, length)));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      });
    fc.assert(
      fc.property(mutated, fc.constantFrom('br', 'deflate', 'gzip', ''), (bytes, encoding) => {
        const body = decodeBody(base64Body(bytes), [['content-encoding', encoding]]);
        assert.ok(body.bytes instanceof Uint8Array);
        void [body.text, body.json, body.problems];
      }),
      { numRuns: 500 },
    );
  });
});

/** Bytes that begin like something, and are not. */
const LOOKALIKES: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['noise that begins like gzip', Buffer.from('1f8b08005bb6116cc7227dd833ae', 'hex')],
  ['noise that begins like zstd', Buffer.from('28b52ffd005bb6116cc7227dd833ae', 'hex')],
  ['noise that begins like zlib', Buffer.from('789c00254a6f94b9de03284d97bc', 'hex')],
  ['a protobuf message that begins like zlib', Buffer.from('081d1203fffefd1801', 'hex')],
  ['a protobuf message of which some can be inflated', Buffer.from('081d1205ff6b9001f09f8fbb2a0e', 'hex')],
];

describe('decodeBody of what no header calls encoded', () => {
  for (const [name, bytes] of LOOKALIKES)
    for (const encoding of [undefined, 'identity', 'br', 'deflate'])
      it(`has no complaint about ${name}, nor changes it, with the header ${encoding}`, () => {
        const body = decodeBody(base64Body(bytes), encoding === undefined ? [] : [['content-encoding', encoding]]);
        assert.deepEqual(Buffer.from(body.bytes), Buffer.from(bytes));
        assert.equal(body.isDamaged, false);
        if (encoding === undefined || encoding === 'identity') assert.deepEqual(body.problems, []);
      });

  it('leaves base64 of them, and texts that begin so, as the text that they are', () => {
    const noise = LOOKALIKES[0]?.[1] ?? new Uint8Array();
    for (const text of [Buffer.concat([noise, noise]).toString('base64'), Buffer.from(noise).toString('latin1')]) {
      const body = decodeBody(textBody(text));
      assert.deepEqual([body.text, body.problems], [text, []]);
    }
  });

  it('reads what a compressed file contains, and says that it guessed', () => {
    for (const [packed, headers, guesses] of [
      [gzipSync(BYTES), [], 1],
      [gzipSync(gzipSync(BYTES)), [], 2],
      [gzipSync(gzipSync(BYTES)), GZIP, 1],
      [gzipSync(BYTES), GZIP, 0],
    ] as const) {
      const body = decodeBody(base64Body(packed), headers);
      assert.deepEqual([body.text, body.guesses, body.problems], [TEXT, guesses, []]);
    }
  });

  it('reads the beginning of a damaged file, and has no complaint about it', () => {
    const cut = gzipSync(Buffer.from('word '.repeat(10_000) + Math.random())).subarray(0, -9);
    const body = decodeBody(base64Body(cut));
    assert.ok(body.text?.startsWith('word word'));
    assert.deepEqual([body.problems, body.isDamaged, body.guesses], [[], false, 1]);
  });

  it('does not unpack what is too large, and says that it was not searched', () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    const body = decodeBody(base64Body(bomb));
    assert.equal(body.bytes.length, bomb.length);
    assert.deepEqual([body.problems, body.isDamaged], [[], false]);
    assert.match(
      body.unsearched ?? '',
      /^The body is a gzip file that was not searched for secrets: it decompresses to more/,
    );
  });
});

describe('decodeBody with brotli', () => {
  const packed = base64Body(brotliCompressSync(BYTES));
  const headers: [string, string][] = [['content-encoding', 'br']];

  it('decompresses it if a header says so', () => {
    assert.equal(decodeBody(packed, headers).text, TEXT);
    assert.deepEqual(decodeBody(packed, headers).decodedFrom, ['base64', 'br']);
    assert.equal(decodeBody(packed).text, undefined);
  });

  it('decompresses more than the initial guess of the size', () => {
    const text = 'a'.repeat(500_000) + Math.random();
    assert.equal(decodeBody(base64Body(brotliCompressSync(text)), headers).text, text);
  });

  it('stops at the limit', () => {
    const bomb = brotliCompressSync(Buffer.concat([randomBytes(100), Buffer.alloc(20 * 2 ** 20)]));
    assert.match(decodeBody(base64Body(bomb), headers).problems.join(), /decompresses to more than/);
  });
});

describe('base64', () => {
  it('decodes like Node', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64'));
        assert.deepEqual(decodeBase64(encodeBase64(bytes)), bytes);
        assert.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64url')), bytes);
      }),
    );
  });

  it('may be wrapped', () => {
    assert.deepEqual(decodeBase64(' SGVs\r\n bG8= \n'), new TextEncoder().encode('Hello'));
  });

  it('rejects any other text', () => {
    for (const text of ['a', 'ab$d', 'SGVsbG8=SGVs', 'ü', 'abcde']) assert.equal(decodeBase64(text), undefined, text);
  });
});
