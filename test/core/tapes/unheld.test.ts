import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { encodeBase64 } from '../../../src/core/bytes/base64';
import type { HttpBody, HttpExchange } from '../../../src/core/model/http';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { formatById, formats } from '../../../src/core/tapes/registry';
import { limitsOf, unheldIn } from '../../../src/core/tapes/unheld';
import { isRecordable, newTapeFile, type WritableFormat } from '../../../src/core/tapes/writableFormat';
import { decodeBody } from '../../../src/core/wire/body/body';
import { PAYLOADS } from '../../soak/bodies/payloads.mjs';
import { exchange as chat } from './chatArbitraries';
import { httpExchange } from './httpArbitraries';

const RECORDABLE = formats.filter(isRecordable);
const STORES_HTTP = RECORDABLE.filter((format) => limitsOf(format)[0] !== 'requests other than model calls');

function recordable(id: string): WritableFormat {
  const format = formatById(id);
  assert.ok(isRecordable(format));
  return format;
}

const read = (format: WritableFormat, recorded: readonly RecordedInteraction[]): readonly RecordedInteraction[] =>
  format.read(newTapeFile(format, 'n', recorded)).interactions;
const unheld = (format: WritableFormat, recorded: readonly RecordedInteraction[]) =>
  unheldIn(format, recorded, read(format, recorded));

/** A body as a recorder has it: a text if it is one in UTF-8. */
function storedBody(stored: HttpBody, bytes: Buffer): HttpBody {
  if (bytes.length === 0) return { type: 'none' };
  const said = bytes.toString('utf8');
  return Buffer.from(said).equals(bytes) ? text(said) : stored;
}

const bytesOf = (body: HttpBody | undefined): string =>
  body === undefined ? '' : Buffer.from(decodeBody(body).bytes).toString('hex');

const binary = (...bytes: number[]): HttpBody => ({ type: 'base64', base64: encodeBase64(Uint8Array.from(bytes)) });
const text = (content: string): HttpBody => ({ type: 'text', text: content });
const http = (exchange: Partial<HttpExchange> = {}): RecordedInteraction & { readonly http: HttpExchange } => ({
  kind: 'http',
  http: {
    method: 'POST',
    url: 'https://files.example/a?b=c',
    requestHeaders: [['content-type', 'text/plain']],
    requestBody: text('asked'),
    status: 200,
    responseHeaders: [['content-type', 'text/plain']],
    responseBody: text('answered'),
    ...exchange,
  },
});

describe('what a tape does not hold of what was recorded', () => {
  it('is known of every format before anything is recorded', () => {
    const limits = RECORDABLE.map((format) => [format.id, limitsOf(format)] as const);
    const callsOnly = ['mofa', 'mofa-golden', 'flakestorm', 'loader', 'checkagent', 'reyn', 'aimock'];
    assert.deepEqual(Object.fromEntries(limits.filter(([, what]) => what.length > 0)), {
      ...Object.fromEntries(callsOnly.map((id) => [id, ['requests other than model calls']])),
      'azure-test-proxy': ['texts that are not UTF-8'],
      'vcrpy-parsed-body': ['JSON that begins with a byte order mark'],
      opencode: ['binary bodies of requests'],
      mastra: ['binary bodies of requests', 'binary bodies of responses', 'texts that are not UTF-8'],
    });
  });

  for (const format of STORES_HTTP)
    it(`is nothing of the payloads that ${format.id} is said to hold, which come back byte for byte`, () => {
      const recorded = Object.values(PAYLOADS).flatMap(({ headers, body }) => {
        const stored: HttpBody = { type: 'base64', base64: body.toString('base64') };
        const responseHeaders = Object.entries(headers);
        return [
          http({ responseHeaders, responseBody: storedBody(stored, body) }),
          http({ requestHeaders: responseHeaders, requestBody: storedBody(stored, body) }),
        ];
      });
      const found = unheld(format, recorded);
      const limits = limitsOf(format);
      // It has the values of JSON, and a byte order mark is none.
      const isParsed = format.id === 'vcrpy-parsed-body';
      const expected = isParsed ? [['response'], ['request']] : [];
      if (limits.length === 0)
        assert.deepEqual(
          found.map(({ parts }) => parts),
          expected,
        );
      if (limits.length > 0 || isParsed) return;
      for (const [at, { http: after }] of read(format, recorded).entries())
        for (const side of ['requestBody', 'responseBody'] as const)
          assert.deepEqual(bytesOf(after?.[side]), bytesOf(recorded[at]?.http[side]), `${at} ${side}`);
    });

  for (const format of STORES_HTTP)
    it(`is found in ${format.id}, whatever was sent, and nothing else is`, () => {
      const isJson = format.id === 'vcrpy-parsed-body';
      fc.assert(
        fc.property(fc.array(httpExchange, { maxLength: 4 }), (exchanges) => {
          const recorded = exchanges.map((one) => http(one));
          const written = read(format, recorded);
          assert.equal(written.length, recorded.length);
          const found = unheldIn(format, recorded, written);
          for (const [index, before] of exchanges.entries()) {
            const after = written[index]?.http ?? assert.fail();
            const parts = found.find((one) => one.index === index)?.parts ?? [];
            const [asked, answered] = [before.requestBody, before.responseBody].map(bytesOf);
            assert.equal(parts.includes('request'), !isJson && asked !== bytesOf(after.requestBody), 'request');
            assert.equal(parts.includes('response'), !isJson && answered !== bytesOf(after.responseBody), 'response');
            assert.ok(!parts.includes('address') && !parts.includes('status'));
          }
        }),
        { numRuns: 60 },
      );
    });

  for (const format of RECORDABLE.filter(({ id }) => !['flakestorm', 'reyn'].includes(id)))
    it(`is nothing where ${format.id} has a call of a model`, () => {
      fc.assert(
        fc.property(fc.array(chat, { maxLength: 3 }), (calls) => {
          assert.deepEqual(
            unheld(
              format,
              calls.map((one) => ({ kind: 'llm' as const, ...one })),
            ),
            [],
          );
        }),
        { numRuns: 40 },
      );
    });

  it('is told part by part', () => {
    const har = recordable('har');
    const recorded = [http(), http({ status: 204, responseBody: { type: 'none' } }), http()];
    const [first, second, third] = read(har, recorded);
    const changed = (of: RecordedInteraction | undefined, change: Partial<HttpExchange>): RecordedInteraction => ({
      ...of,
      http: { ...(of?.http ?? assert.fail()), ...change },
    });
    const ends = [first, second, third].map((one) => one ?? assert.fail());
    assert.deepEqual(unheldIn(har, recorded, ends), []);
    const wrong = [
      changed(first, { method: 'PUT', responseBody: { type: 'none' } }),
      changed(second, { status: 200, url: 'https://files.example/b' }),
    ];
    assert.deepEqual(unheldIn(har, recorded, wrong), [
      { index: 0, parts: ['address', 'response'] },
      { index: 1, parts: ['address', 'status'] },
      { index: 2, parts: ['interaction'] },
    ]);
  });

  it('is all of an interaction that the format has no place for, and the answer where a format of messages changes it', () => {
    const mofa = recordable('mofa');
    const call = { kind: 'llm' as const, request: undefined, response: { content: 'fine', toolCalls: [] } };
    assert.deepEqual(unheld(mofa, [http(), call, http()]), [
      { index: 0, parts: ['interaction'] },
      { index: 2, parts: ['interaction'] },
    ]);
    assert.deepEqual(unheldIn(mofa, [call], [{ ...call, response: { content: 'else', toolCalls: [] } }]), [
      { index: 0, parts: ['answer'] },
    ]);
  });

  it('is not what HTTP compressed and a format stores as it was before, but is what a file is unpacked to', () => {
    const packed = gzipSync('{"say":"Grüße"}').toString('base64');
    const body: HttpBody = { type: 'base64', base64: packed };
    const compressed = http({ responseHeaders: [['content-encoding', 'gzip']], responseBody: body });
    const file = http({ responseHeaders: [['content-type', 'application/gzip']], responseBody: body });
    for (const format of STORES_HTTP) assert.deepEqual(unheld(format, [compressed]), [], format.id);
    for (const format of STORES_HTTP)
      assert.deepEqual(
        unheld(format, [file]),
        format.id === 'mastra' ? [{ index: 0, parts: ['response'] }] : [],
        format.id,
      );
    const unpacked = { ...file, http: { ...file.http, responseBody: text('{"say":"Grüße"}') } };
    assert.deepEqual(unheldIn(recordable('httprr'), [file], [unpacked]), [{ index: 0, parts: ['response'] }]);
  });

  it('is a body that begins or ends in what a reader may take for something else', () => {
    const bodies: readonly HttpBody[] = [
      text('\uFEFFwith a byte order mark'),
      text('\r\n \t\n\n'),
      text('"a string"'),
      text('["a\\n","b\\n"]'),
      text('YWJjZA=='),
      text('{"a":1.0,"a":2,"big":12345678901234567890,"e":1e400}'),
      text(`--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n`),
      binary(0),
      binary(0x1f, 0x8b, 8, 1, 2, 3),
      binary(0xff, 0xfe, 0x41, 0),
      binary(0xef, 0xbb, 0xbf, 0xff),
      binary(...Array.from({ length: 256 }, (_, byte) => byte)),
    ];
    const types = [
      'application/json',
      'text/plain; charset=utf-16',
      'application/octet-stream',
      'multipart/form-data; boundary=b',
    ];
    for (const format of STORES_HTTP)
      for (const type of types)
        for (const body of bodies) {
          const headers = [['content-type', type]] as const;
          const recorded = [
            http({ responseHeaders: headers, responseBody: body, requestHeaders: headers, requestBody: body }),
          ];
          const after = read(format, recorded)[0]?.http ?? assert.fail();
          const [{ parts = [] } = {}] = unheld(format, recorded);
          const isSame = (of: 'requestBody' | 'responseBody') =>
            Buffer.compare(decodeBody(body).bytes, decodeBody(after[of]).bytes) === 0;
          const said = [parts.includes('request'), parts.includes('response')];
          const found = [!isSame('requestBody'), !isSame('responseBody')];
          // JSON that is stored as its value is compared as such.
          const isValue = (of: 'requestBody' | 'responseBody') => after[of].type === 'json';
          for (const [at, of] of (['requestBody', 'responseBody'] as const).entries())
            if (!isValue(of))
              assert.equal(said[at], found[at], `${format.id} ${type} ${of} ${JSON.stringify(body).slice(0, 60)}`);
        }
  });
});
