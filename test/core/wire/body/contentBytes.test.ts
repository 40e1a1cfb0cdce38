import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { HttpBody, HttpHeader } from '../../../../src/core/model/http';
import { bodyFromBytes, contentBytes } from '../../../../src/core/wire/body/body';

const coded = (coding: string): readonly HttpHeader[] => [['Content-Encoding', coding]];
const TEXT = Buffer.from('{"id": 4711, "text": "As it was sent, with an \u00e9."}');
/** Bytes that look like a coding of HTTP, and are a file, or a part of a message. */
const FILES: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['a gzip file', gzipSync(TEXT)],
  ['a gzip file in a gzip file', gzipSync(gzipSync(TEXT))],
  ['a zlib stream', deflateSync(TEXT)],
  ['a zstd frame', Buffer.from('28b52ffd2410790000fa0102030405060708', 'hex')],
  ['a protobuf message that begins like zlib', Buffer.from('081d12050a03ffee01', 'hex')],
  ['noise after the first bytes of gzip', Buffer.from('1f8b08ffaa0102030405', 'hex')],
  ['noise after the first bytes of zstd', Buffer.from('28b52ffdffffffff', 'hex')],
];

describe('contentBytes', () => {
  for (const [name, bytes] of FILES) {
    it(`leaves ${name} as it is, where no header says that HTTP coded it`, () => {
      assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(bytes), [])), bytes);
      assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(bytes), coded('identity'))), bytes);
      assert.deepEqual(
        Buffer.from(contentBytes(bodyFromBytes(bytes), [['content-type', 'application/gzip']])),
        bytes,
        'a content type is no coding',
      );
    });

    it(`leaves ${name} as it is inside of what HTTP coded`, () => {
      for (const [coding, pack] of [
        ['gzip', gzipSync],
        ['x-gzip', gzipSync],
        ['deflate', deflateSync],
        ['br', brotliCompressSync],
      ] as const)
        assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(pack(bytes)), coded(coding))), bytes, coding);
    });
  }

  it('leaves a text that is the base64 of gzip as it is, unless it stands for coded bytes', () => {
    const text = gzipSync(TEXT).toString('base64');
    assert.equal(Buffer.from(contentBytes({ type: 'text', text }, [])).toString(), text);
    assert.deepEqual(Buffer.from(contentBytes({ type: 'text', text }, coded('gzip'))), TEXT);
    const latin1 = gzipSync(TEXT).toString('latin1');
    assert.deepEqual(Buffer.from(contentBytes({ type: 'text', text: latin1 }, coded('gzip'))), TEXT);
  });

  it('takes off several codings, from the last to the first', () => {
    const bytes = brotliCompressSync(gzipSync(TEXT));
    assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(bytes), coded('gzip, br'))), TEXT);
    assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(deflateRawSync(TEXT)), coded('deflate'))), TEXT);
  });

  it('knows identity as no coding', () => {
    for (const names of ['gzip, identity', 'identity,gzip', 'identity'])
      assert.deepEqual(
        Buffer.from(contentBytes(bodyFromBytes(names === 'identity' ? TEXT : gzipSync(TEXT)), coded(names))),
        TEXT,
        names,
      );
  });

  it('takes off a coding whose data happens to be UTF-8', () => {
    let seen = 0;
    for (let at = 0; at < 3000; at += 1) {
      const text = `${at}`;
      const packed = deflateRawSync(text);
      seen += bodyFromBytes(packed).type === 'text' ? 1 : 0;
      assert.equal(Buffer.from(contentBytes(bodyFromBytes(packed), coded('deflate'))).toString(), text);
    }
    assert.ok(seen > 0, 'some are');
  });

  it('leaves what a recorder has decoded, and what cannot be decoded', () => {
    assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(TEXT), coded('gzip'))), TEXT);
    const cut = gzipSync(TEXT).subarray(0, 30);
    assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(cut), coded('gzip'))), cut);
    assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(TEXT), coded('compress'))), TEXT);
  });

  it('gives any bytes back as they were stored, with and without a coding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        const bytes = Buffer.from(array);
        const stored: HttpBody = { type: 'base64', base64: bytes.toString('base64') };
        assert.deepEqual(Buffer.from(contentBytes(stored, [])), bytes);
        assert.deepEqual(Buffer.from(contentBytes(bodyFromBytes(gzipSync(bytes)), coded('gzip'))), bytes);
      }),
    );
  });
});
