import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../../src/core/model/http';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import type { FormatId, Tape } from '../../../../src/core/model/tape';
import { convertTape } from '../../../../src/core/tapes/convert';
import { pollyId } from '../../../../src/core/tapes/formats/har/pollyIds';
import { mastraHash } from '../../../../src/core/tapes/formats/mastra/write';
import { headerValuesByName } from '../../../../src/core/tapes/formats/shared/recordedHttp';
import { formatById, formats } from '../../../../src/core/tapes/registry';
import { isWritable, newTapeFile, writableIn } from '../../../../src/core/tapes/writableFormat';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { post } from '../../wire/exchanges';
import { exchange as chat } from '../chatArbitraries';
import { formatOf } from '../editing';
import { httpExchange } from '../httpArbitraries';

/** What a format has no place for. */
interface Limits {
  readonly id: FormatId;
  readonly requestHeaders?: false;
  readonly binaryRequest?: false;
  readonly binaryResponse?: false;
  /** Headers are lines. */
  readonly lines?: true;
  readonly smallLetters?: true;
}

const FORMATS: readonly Limits[] = [
  { id: 'azure-test-proxy' },
  { id: 'opencode', binaryRequest: false },
  { id: 'mastra', requestHeaders: false, binaryRequest: false, binaryResponse: false },
  { id: 'har' },
  { id: 'polly-har' },
  { id: 'httprr', lines: true },
  { id: 'vcrpy-parsed-body', smallLetters: true },
  { id: 'langchain-gz' },
];
const JSON_TYPE: HttpHeader = ['content-type', 'application/json'];

function contentOf(body: HttpBody, isCarried: boolean): string {
  const isText = body.type !== 'base64' || isUtf8(body.base64);
  return isCarried || isText ? encodeBase64(decodeBody(body).bytes) : '';
}

function isUtf8(base64: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return true;
  } catch {
    return false;
  }
}

function headersOf(headers: readonly HttpHeader[], { lines, smallLetters }: Limits): Record<string, string[]> {
  const kept = headers
    .filter(([name]) => lines === undefined || !/^(?:host|content-length)$/i.test(name))
    .map(
      ([name, value]): HttpHeader => [
        smallLetters ? name.toLowerCase() : name,
        lines ? value.replace(/[\r\n]+/g, ' ').trim() : value,
      ],
    );
  return headerValuesByName(kept);
}

/** Reads what is written, which must be of the format and in order. */
function written(id: FormatId, recorded: readonly RecordedInteraction[]) {
  const format = formats.filter(isWritable).find((one) => one.id === id);
  assert.ok(format, `${id} is not written`);
  const file = newTapeFile(format, 'a name', recorded);
  const { text } = file;
  const tape = format.read(file);
  assert.deepEqual(
    tape.problems.filter(({ severity }) => severity === 'error'),
    [],
    text,
  );
  assert.equal(tape.interactions.length, recorded.length, text);
  return { tape, text, file };
}

/** With JSON bodies, with and without the header that says so: some formats parse them. */
const withJson: fc.Arbitrary<HttpExchange> = fc
  .tuple(httpExchange, fc.jsonValue({ maxDepth: 3 }), fc.boolean())
  .map(([http, json, says]) => {
    const body: HttpBody = { type: 'text', text: JSON.stringify(json) };
    const type = says ? [JSON_TYPE] : [];
    return {
      ...http,
      requestBody: body,
      responseBody: body,
      requestHeaders: [...http.requestHeaders, ...type],
      responseHeaders: [...http.responseHeaders, ...type],
    };
  });

describe('recordings of HTTP that are made', () => {
  for (const limits of FORMATS) {
    const { id } = limits;

    it(`carry any HTTP that ${id} has a place for`, () => {
      fc.assert(
        fc.property(fc.array(fc.oneof(httpExchange, withJson), { maxLength: 4 }), (exchanges) => {
          const recorded = exchanges.map((http) => ({ kind: 'http' as const, http }));
          const { tape, text, file } = written(id, recorded);
          if (exchanges.length > 0 && id !== 'vcrpy-parsed-body') assert.equal(formatOf(file).id, id, text);
          for (const [index, before] of exchanges.entries()) {
            const after = tape.interactions[index]?.http;
            assert.ok(after);
            assert.deepEqual([after.method, after.url, after.status], [before.method, before.url, before.status]);
            const answered = limits.binaryResponse !== false;
            assert.equal(contentOf(after.responseBody, true), contentOf(before.responseBody, answered), text);
            const asked = limits.binaryRequest !== false;
            assert.equal(contentOf(after.requestBody, true), contentOf(before.requestBody, asked), text);
            assert.deepEqual(headersOf(after.responseHeaders, limits), headersOf(before.responseHeaders, limits));
            const kept = limits.requestHeaders === false ? [] : before.requestHeaders;
            assert.deepEqual(headersOf(after.requestHeaders, limits), headersOf(kept, limits));
          }
        }),
        { numRuns: 80 },
      );
    });

    it(`carry calls of models in ${id}`, () => {
      fc.assert(
        fc.property(fc.array(chat, { minLength: 1, maxLength: 3 }), (recorded) => {
          const { tape, text, file } = written(
            id,
            recorded.map((one) => ({ kind: 'llm' as const, ...one })),
          );
          assert.equal(formatOf(file).id, id);
          for (const [index, { request, response }] of recorded.entries()) {
            const after = tape.interactions[index];
            assert.equal(after?.kind, 'llm', text);
            assert.equal(after.response?.content ?? '', response.content ?? '');
            assert.equal(after.response?.toolCalls.length, response.toolCalls.length);
            assert.deepEqual(after.response?.usage, response.usage && { ...response.usage });
            assert.equal(after.request?.messages.length ?? 0, request?.messages.length ?? 0);
          }
        }),
        { numRuns: 40 },
      );
    });
  }

  it('carry what aimock answers: texts, calls, usage and times, and the last words of the user', () => {
    fc.assert(
      fc.property(fc.array(chat, { maxLength: 4 }), (recorded) => {
        const timed = recorded.map((one, index) => ({ kind: 'llm' as const, ...one, timing: { durationMs: index } }));
        const { tape, text } = written('aimock', timed);
        for (const [index, { request, response, timing }] of writableIn(formatById('aimock'), timed).entries()) {
          const after = tape.interactions[index];
          assert.equal(after?.response?.content ?? '', response.content ?? '', text);
          assert.deepEqual(
            after?.response?.toolCalls.map(({ name, id }) => [name, id]),
            response.toolCalls.map(({ name, id }) => [name, id]),
          );
          assert.deepEqual(after?.response?.usage, response.usage && { ...response.usage });
          assert.equal(after?.timing?.durationMs, timing.durationMs);
          const said = request?.messages.findLast(({ role, content }) => role === 'user' && content);
          assert.equal(after?.request?.messages.at(-1)?.content, said?.content ?? undefined);
        }
      }),
      { numRuns: 60 },
    );
    // Asked twice, answered differently: the second is told by its number.
    const twice = [1, 2].map((answer) => ({ kind: 'llm' as const, response: { content: `${answer}`, toolCalls: [] } }));
    assert.match(written('aimock', twice).text, /"sequenceIndex": 0[\s\S]*"sequenceIndex": 1/);
  });

  it('leave out what they have no place for, and `convert` says what that is', () => {
    const binary: HttpBody = { type: 'base64', base64: '/+8=' };
    const http: HttpExchange = {
      method: 'PUT',
      url: 'https://a.example/',
      requestHeaders: [['x-trace', '1']],
      requestBody: binary,
      status: 200,
      responseHeaders: [['x-id', '2']],
      responseBody: binary,
    };
    const tape: Tape = {
      format: 'har',
      interactions: [{ index: 0, kind: 'http', http, timing: { durationMs: 5 }, source: { start: 0, end: 0 } }],
      problems: [],
    };
    const losses = (id: FormatId): readonly string[] => {
      const target = formats.filter(isWritable).find((one) => one.id === id);
      assert.ok(target);
      return convertTape(tape, 'a', target)
        .losses.map(({ field }) => field)
        .sort();
    };
    const both = ['http.requestBody', 'http.responseBody'];
    assert.deepEqual(losses('azure-test-proxy'), ['timing.durationMs']);
    assert.deepEqual(losses('langchain-gz'), ['timing.durationMs']);
    assert.deepEqual(losses('vcrpy-parsed-body'), ['timing.durationMs']);
    assert.deepEqual(losses('opencode'), ['http.requestBody', 'timing.durationMs']);
    assert.deepEqual(
      losses('polly-har').filter((field) => field.startsWith('http')),
      [],
    );
    assert.deepEqual(
      losses('mastra').filter((field) => field.startsWith('http')),
      [...both, 'http.requestHeaders'].sort(),
    );
    assert.deepEqual(
      losses('httprr').filter((field) => /Body/.test(field)),
      [],
    );
    const aimock = formats.filter(isWritable).find(({ id }) => id === 'aimock') ?? assert.fail();
    assert.equal(convertTape(tape, 'a', aimock).kept, 0, 'no call of a model');
  });

  it('hold what was compressed where they hold text only, and `convert` says that it no longer is', () => {
    const said = '{"say":"Grüße"}';
    const gzip: HttpBody = { type: 'base64', base64: gzipSync(said).toString('base64') };
    const headers: HttpHeader[] = [JSON_TYPE, ['Content-Encoding', 'gzip'], ['Content-Length', '36']];
    const http: HttpExchange = {
      method: 'POST',
      url: 'https://a.example/',
      requestHeaders: headers,
      requestBody: gzip,
      status: 200,
      responseHeaders: headers,
      responseBody: gzip,
    };
    const tape: Tape = {
      format: 'har',
      interactions: [{ index: 0, kind: 'http', http, source: { start: 0, end: 0 } }],
      problems: [],
    };
    for (const id of ['httprr', 'mastra', 'azure-test-proxy'] as const) {
      const after = written(id, [{ kind: 'http', http }]).tape.interactions[0]?.http;
      assert.ok(after);
      for (const body of [after.requestBody, after.responseBody]) assert.equal(decodeBody(body).text, said, id);
      assert.deepEqual(decodeBody(after.responseBody).decodedFrom, [], id);
      const kept = after.responseHeaders.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
      assert.deepEqual(kept, ['content-type: application/json', 'content-length: 17'], id);
    }
    for (const id of ['opencode', 'har', 'polly-har'] as const) {
      const after = written(id, [{ kind: 'http', http }]).tape.interactions[0]?.http;
      assert.equal(after && decodeBody(after.requestBody).text, said, id);
      assert.deepEqual(after?.responseBody, gzip, id);
    }
    const target = formats.filter(isWritable).find(({ id }) => id === 'httprr');
    assert.ok(target);
    assert.deepEqual(
      convertTape(tape, 'a', target).losses.map(({ field }) => field),
      ['http.requestCompression', 'http.requestHeaders', 'http.responseCompression', 'http.responseHeaders'],
    );
  });

  it('are found in Mastra by what a request parses to, however it was written, and have no header that it leaves out', () => {
    const http: HttpExchange = {
      method: 'POST',
      url: 'https://a.example/',
      requestHeaders: [],
      requestBody: { type: 'text', text: '{"z": null,\n "a": [{"c": 2.0, "b": 1}]}' },
      status: 200,
      responseHeaders: [
        ['Set-Cookie', 'a=1'],
        ['Transfer-Encoding', 'chunked'],
        ['X-Id', '1'],
      ],
      responseBody: { type: 'none' },
    };
    const { tape } = written('mastra', [{ kind: 'http', http }]);
    assert.equal(tape.interactions[0]?.id, HASH);
    assert.deepEqual(tape.interactions[0]?.http?.responseHeaders, [['X-Id', '1']]);
    assert.deepEqual(tape.problems, []);
  });

  it('keep the chunks of a stream and the times between them in Mastra', () => {
    const chunks = ['data: {"a":1}\n', '\ndata: [DONE]\n\n'].map((data, index) => ({ data, delayMs: 10 * index }));
    const http = post('https://a.example/', undefined, { type: 'chunks', chunks });
    const { tape } = written('mastra', [{ kind: 'http', http }]);
    assert.deepEqual(tape.interactions[0]?.http?.responseBody, { type: 'chunks', chunks });
  });

  it('put a stream together whose pieces are bytes, such as one of AWS or one cut inside of a character', () => {
    const text = 'data: {"a":"ü"}\n\ndata: [DONE]\n\n';
    const bytes = Buffer.from(text);
    const chunks = [
      { data: bytes.subarray(0, 13).toString('base64'), base64: true as const, delayMs: 1 },
      { data: bytes.subarray(13).toString('base64'), base64: true as const, delayMs: 2 },
    ];
    const headers = [['content-type', 'text/event-stream']] as const;
    const http = post('https://a.example/', undefined, { type: 'chunks', chunks }, { headers });
    for (const { id } of FORMATS) {
      const after = written(id, [{ kind: 'http', http }]).tape.interactions[0]?.http;
      assert.equal(after && decodeBody(after.responseBody).text, text, id);
    }
  });

  it('are found in Mastra by a hash that does not depend on the order of keys', () => {
    // md5 of `https://a.example/:{"a":[{"b":1,"c":2}],"z":null}`, by coreutils.
    assert.equal(mastraHash('https://a.example/', { z: null, a: [{ c: 2, b: 1 }] }), HASH);
    // A text counts as it is: md5 of `https://a.example/:hi`.
    assert.equal(mastraHash('https://a.example/', 'hi'), '0eba6e28a90f451a');
  });

  it('are found in Polly by the `_id` of a request without its headers', () => {
    const nothing = { responseHeaders: [], responseBody: { type: 'none' } } as const;
    const get = { ...nothing, requestHeaders: [], method: 'get', requestBody: { type: 'none' } } as const;
    const body = '{"email":"polly@netflix.com"}';
    const post = { ...get, method: 'POST', url: '/api/v1/login', requestBody: { type: 'text', text: body } } as const;
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    // The identifiers of @pollyjs/core with `matchRequestsBy: { headers: false }`.
    assert.equal(
      pollyId({ ...get, url: 'https://a.example/b#top' }),
      md5('{"method":"GET","url":"https://a.example/b"}'),
    );
    assert.equal(pollyId(post), md5(JSON.stringify({ body, method: 'POST', url: '/api/v1/login' })));
    assert.equal(pollyId({ ...post, requestHeaders: [['Authorization', 'Bearer x']] }), pollyId(post));
    assert.equal(pollyId({ ...get, url: '/?b=2&a=1 %2B' }), pollyId({ ...get, url: '/?a=1+%2b&b=2' }));
    assert.notEqual(pollyId({ ...get, url: '/?a=1' }), pollyId({ ...get, url: '/?a=2' }));
  });
});

const HASH = 'e8204024adbf915d';
