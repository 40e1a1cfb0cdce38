import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { type EventMessage, readEventStream, writeEventStream } from '../../../src/core/wire/body/eventStream';
import { pattern } from '../text/filePattern';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const TEXT = `{"note":"${KEY}, plainoldsecret99, CUST-8812 für"}`;
const CLEAN = '{"note":"[redacted:openai-key], [redacted], [redacted] für"}';

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

  it('unpacks deflate without a header, and what is gzip without saying so', () => {
    assert.equal(textOf(redacted(deflateRawSync(TEXT), 'deflate')), CLEAN);
    assert.equal(textOf(redacted(gzipSync(TEXT))), CLEAN);
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
      [gzipSync(brotliCompressSync(TEXT)), 'br, gzip'],
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
