import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { recompress } from '../../../src/core/bytes/recompress';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { type EventMessage, readEventStream, writeEventStream } from '../../../src/core/wire/body/eventStream';
import { pattern } from '../text/filePattern';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const TEXT = `{"note":"${KEY}, plainoldsecret99, CUST-8812 für"}`;
const CLEAN = '{"note":"[redacted:openai-key], [redacted], [redacted] für"}';

const zstdOf = (text: string): Buffer => Buffer.from(recompress(Buffer.from(text), ['zstd'], Buffer.alloc(0)) ?? []);

/** Bytes without any text, the same for a seed. */
function noise(seed: number, length: number): Buffer {
  let state = seed * 2654435761;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
}

const packers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'x-gzip, identity': gzipSync,
  'gzip, br': (bytes) => brotliCompressSync(gzipSync(bytes)),
};

describe('the redactor of bodies', () => {
  const redactor = createRedactor({ values: ['plainoldsecret99'], patterns: [pattern('CUST-\\d+')] });
  const redacted = (bytes: Uint8Array, encoding?: string, type = 'application/json') => {
    const headers = [['Content-Type', type] as const, ...(encoding ? [['Content-Encoding', encoding] as const] : [])];
    return redactor.body(bytes, headers);
  };
  const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

  it('gives what has no secret as it is', () => {
    for (const bytes of [Buffer.from('{"für":1}'), Buffer.alloc(0), Buffer.from([0xff, 0xd8, 0, 7]), gzipSync('plain')])
      assert.equal(redacted(bytes), bytes);
  });

  it('looks for texts in binary data, also in UTF-16', () => {
    const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0]), Buffer.from(TEXT, 'latin1'), Buffer.from([0, 0xff])]);
    const clean = redacted(picture, undefined, 'image/jpeg');
    assert.equal(clean && Buffer.from(clean).toString('latin1'), `\xff\xd8\0${CLEAN}\0\xff`);
    for (const swap of [false, true]) {
      const wide = Buffer.from(`\ufeffkey ${KEY} end`, 'utf16le');
      const hidden = redacted(swap ? wide.swap16() : wide, undefined, 'application/octet-stream');
      assert.ok(hidden !== undefined);
      const read = Buffer.from(hidden);
      assert.equal((swap ? read.swap16() : read).toString('utf16le'), '\ufeffkey [redacted:openai-key] end');
    }
  });

  it('knows values of other characters in binary data', () => {
    const told = createRedactor({ values: ['5cQmNCFA4cö€26Qsgv'] });
    const data = Buffer.concat([Buffer.from([0, 0xff]), Buffer.from('a 5cQmNCFA4cö€26Qsgv b'), Buffer.from([0xff, 0])]);
    const clean = told.body(data, [['content-type', 'application/octet-stream']]);
    assert.equal(clean && Buffer.from(clean).toString('latin1'), '\0\xffa [redacted] b\xff\0');
  });

  for (const [encoding, pack] of Object.entries(packers)) {
    it(`unpacks ${encoding} to look for secrets`, () => {
      assert.equal(textOf(redacted(pack(Buffer.from(TEXT)), encoding)), CLEAN);
      assert.equal(textOf(redacted(pack(Buffer.from('{"für":"ü"}')), encoding)), '{"für":"ü"}');
    });
  }

  it('unpacks deflate without a header', () => {
    assert.equal(textOf(redacted(deflateRawSync(TEXT), 'deflate')), CLEAN);
  });

  const files: Readonly<Record<string, readonly [pack: (text: string) => Buffer, unpack: (bytes: Buffer) => Buffer]>> =
    {
      gzip: [(text) => gzipSync(text), gunzipSync],
      zlib: [(text) => deflateSync(text), inflateSync],
      zstd: [zstdOf, (bytes) => Buffer.from(decompress(bytes))],
      'gzip in gzip': [(text) => gzipSync(gzipSync(text)), (bytes) => gunzipSync(gunzipSync(bytes))],
    };
  for (const [name, [pack, unpack]] of Object.entries(files)) {
    it(`hides what is in a file of ${name}, which stays one, as long as no header calls it a coding`, () => {
      for (const type of ['application/json', 'application/gzip', 'application/octet-stream', 'image/png']) {
        const clean = Buffer.from(redacted(pack(TEXT), undefined, type) ?? []);
        assert.equal(unpack(clean).toString(), CLEAN);
        assert.equal(redacted(clean, undefined, type), clean, 'hiding again changes nothing');
        const harmless = pack('{"für":1}');
        assert.equal(redacted(harmless, undefined, type), harmless);
      }
    });

    it(`takes off the coding of a file of ${name}, and no more`, () => {
      for (const [encoding, code] of Object.entries(packers)) {
        assert.deepEqual(Buffer.from(redacted(code(pack('{"für":1}')), encoding) ?? []), pack('{"für":1}'), encoding);
        assert.equal(unpack(Buffer.from(redacted(code(pack(TEXT)), encoding) ?? [])).toString(), CLEAN, encoding);
      }
    });
  }

  it('hides what is in an archive that is compressed', () => {
    const archive = Buffer.concat([Buffer.from('a.json\0\0\xff', 'latin1'), Buffer.from(TEXT), Buffer.alloc(9, 0xff)]);
    const clean = gunzipSync(redacted(gzipSync(archive), undefined, 'application/x-tar') ?? gzipSync('lost'));
    assert.ok(!clean.includes(KEY) && clean.includes('[redacted:openai-key]'));
  });

  it('keeps noise that begins like a compressed file', () => {
    for (const start of ['1f8b08', '28b52ffd005bb6116c', '789c', '081d', '78da'])
      for (let seed = 1; seed < 200; seed += 1) {
        const bytes = Buffer.concat([Buffer.from(start, 'hex'), noise(seed, 64)]);
        assert.equal(redacted(bytes, undefined, 'application/octet-stream'), bytes, bytes.toString('hex'));
      }
  });

  it('searches what begins like a compressed file, and is none', () => {
    for (const start of ['1f8b0800', '28b52ffd', '789c', '081d1205ff6b9001f09f8fbb2a0e'])
      for (let seed = 1; seed < 50; seed += 1) {
        const bytes = Buffer.concat([
          Buffer.from(start, 'hex'),
          noise(seed, 9),
          Buffer.from([0xff, 0]),
          Buffer.from(KEY),
          Buffer.from([0]),
        ]);
        const clean = redacted(bytes, undefined, 'application/x-protobuf');
        assert.ok(clean === undefined || !Buffer.from(clean).includes(KEY), bytes.toString('hex'));
      }
  });

  it('does not let a secret pass in what a file says beside its content', () => {
    const named = Buffer.from(gzipSync('harmless'));
    named[3] = 8;
    const withName = Buffer.concat([named.subarray(0, 10), Buffer.from(`${KEY}\0`), named.subarray(10)]);
    assert.equal(gunzipSync(withName).toString(), 'harmless');
    assert.equal(redacted(withName), undefined);
    for (const packed of [gzipSync('harmless'), deflateSync('harmless')])
      assert.equal(redacted(Buffer.concat([packed, Buffer.from(` ${KEY} `)])), undefined, 'after its end');
  });

  it('gives nothing of a damaged file whose beginning can be read', () => {
    for (const text of [TEXT, `${'word '.repeat(99)}${TEXT}`, '一二三四五六七八九十'.repeat(9)])
      for (const pack of [gzipSync, deflateSync]) {
        const packed = pack(text);
        assert.equal(redacted(packed.subarray(0, -6)), undefined);
        assert.equal(redacted(packed.subarray(0, -1)), undefined);
        assert.equal(redacted(packed.map((byte, at) => (at === packed.length - 2 ? byte ^ 1 : byte))), undefined);
      }
  });

  it('gives nothing of a file that is too large to be searched', () => {
    assert.equal(redacted(gzipSync(Buffer.alloc(40 * 2 ** 20))), undefined);
  });

  it('looks into a body that is all base64', () => {
    const packed = textOf(redacted(Buffer.from(gzipSync(TEXT).toString('base64')))) ?? '';
    assert.equal(gunzipSync(Buffer.from(packed, 'base64')).toString(), CLEAN);
    const plain = Buffer.from(gzipSync('{"für":1}').toString('base64'));
    assert.equal(redacted(plain), plain);
  });

  it('gives nothing of what it cannot unpack', () => {
    const gzip = gzipSync(TEXT);
    const sealed: readonly (readonly [Uint8Array, string])[] = [
      [gzip.subarray(0, 30), 'gzip'],
      [gzip.subarray(0, 30), ''],
      [gzip, 'gzip, x-secret'],
      [gzipSync(brotliCompressSync(TEXT)), 'x-secret, gzip'],
      [brotliCompressSync(TEXT).subarray(0, 20), 'br'],
      [Buffer.from([0xff, 0xfe, 1, 2]), 'compress'],
    ];
    for (const [bytes, encoding] of sealed) assert.equal(redacted(bytes, encoding), undefined, encoding);
  });

  it('finds secrets in text of another character set, in forms with files, and before a broken character', () => {
    const bytes = Buffer.from(TEXT, 'latin1');
    const clean = redacted(bytes, undefined, 'text/plain; charset=iso-8859-1');
    assert.deepEqual(clean && Buffer.from(clean), Buffer.from(CLEAN, 'latin1'));
    const form = Buffer.concat([Buffer.from(`--b\r\n\r\n${KEY}\r\n--b\r\n\r\n`), Buffer.from([0xff, 0xfb, 0, 9])]);
    const cleanForm = redacted(form, undefined, 'multipart/form-data; boundary=b');
    assert.equal(
      cleanForm && Buffer.from(cleanForm).toString('latin1'),
      '--b\r\n\r\n[redacted:openai-key]\r\n--b\r\n\r\nÿû\0\t',
    );
    const broken = redacted(Buffer.from(`data: ${KEY} ü`).subarray(0, -1), undefined, 'text/event-stream');
    assert.ok(!textOf(broken)?.includes(KEY));
  });

  it('looks into each message of an event stream of Amazon', () => {
    const message = (payload: string): EventMessage => ({
      headers: [[':event-type', { type: 'string', value: 'chunk' }]],
      payload: Buffer.from(payload),
    });
    const inner = Buffer.from(`{"completion":"it is ${KEY}"}`).toString('base64');
    const stream = writeEventStream([message(`{"bytes":"${inner}"}`), message(TEXT), message('{"p":"abc"}')]);
    const type = 'application/vnd.amazon.eventstream';
    const payloads = (bytes: Uint8Array | undefined) =>
      readEventStream(bytes ?? new Uint8Array()).messages.map(({ payload }) => textOf(payload));
    const [first = '', ...others] = payloads(redacted(stream, undefined, type));
    const { bytes } = JSON.parse(first) as { readonly bytes: string };
    assert.equal(Buffer.from(bytes, 'base64').toString(), '{"completion":"it is [redacted:openai-key]"}');
    assert.deepEqual(others, [CLEAN, '{"p":"abc"}']);
    assert.equal(payloads(redacted(stream.subarray(0, -3), undefined, type)).length, 2);
    const clean = writeEventStream([message('{"p":"abc"}')]);
    assert.equal(redacted(clean, undefined, type), clean);
  });
});
