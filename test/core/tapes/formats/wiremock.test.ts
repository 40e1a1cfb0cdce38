import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wiremockFormat } from '../../../../src/core/tapes/formats/wiremock/index';
import { lackOf } from '../../../../src/core/tapes/notKept';
import { isNotRead } from '../../../../src/core/tapes/notRead';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { editAnswer, formatOf, RUNS, readAs } from '../editing';
import { httpExchange } from '../httpArbitraries';

const QUESTION = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hi.' }] };
const answer = (content: string) => ({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
const request = {
  url: '/v1/chat/completions',
  method: 'POST',
  headers: { 'Content-Type': { equalTo: 'application/json' } },
  bodyPatterns: [{ equalToJson: JSON.stringify(QUESTION), ignoreArrayOrder: true, ignoreExtraElements: true }],
};
const response = {
  status: 200,
  body: JSON.stringify(answer('Hi.')),
  headers: { 'Content-Type': 'application/json' },
};
const recorded = { id: 'a1', name: 'v1_chat', request, response, uuid: 'a1', persistent: true, insertionIndex: 1 };

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const problemsOf = (value: unknown) => wiremockFormat.read(tapeFileFromText(text(value))).problems;

describe('the WireMock format', () => {
  it('takes a mapping with nothing but an address and an answer where WireMock loads it from', () => {
    const [plain, other] = [
      { request: { method: 'GET', url: '/weather' }, response: { status: 200, body: '4' } },
      { fingerprint: 'ab', request: { method: 'GET', url: '/weather' }, response: { status: 200, body: '4' } },
    ];
    const idOf = (value: object, path: string): string | undefined =>
      detectFormat(tapeFileFromText(text(value), path))?.id;
    assert.equal(idOf(plain, 'stubs/mappings/weather/oslo.json'), 'wiremock');
    assert.equal(idOf(plain, 'stubs/weather.json'), undefined);
    assert.equal(idOf(other, 'mappings/weather.json'), undefined);
    assert.equal(idOf({ request: plain?.request }, 'mappings/weather.json'), undefined);
  });

  it('reads a list of mappings, and one mapping', () => {
    for (const file of [{ mappings: [recorded], meta: { total: 1 } }, recorded]) {
      const [call] = readAs('wiremock', text(file)).interactions;
      assert.equal(call?.http?.method, 'POST');
      assert.deepEqual(call?.http?.requestHeaders, [['Content-Type', 'application/json']]);
      assert.equal(call?.request?.messages[0]?.content, 'Say hi.');
      assert.equal(call?.response?.content, 'Hi.');
    }
  });

  it('reads every form of a body and of an address', () => {
    const base64 = btoa(JSON.stringify(answer('Hi.')));
    for (const stored of [{ jsonBody: answer('Hi.') }, { base64Body: base64 }]) {
      const file = text({ ...recorded, response: { status: 200, headers: response.headers, ...stored } });
      assert.equal(readAs('wiremock', file).interactions[0]?.response?.content, 'Hi.');
      assert.equal(editAnswer(tapeFileFromText(file), 0, 'Good day').tape.interactions.length, 1);
    }
    const bodies = [{ equalToJson: QUESTION }, { equalTo: JSON.stringify(QUESTION) }];
    for (const pattern of [...bodies, { binaryEqualTo: btoa(JSON.stringify(QUESTION)) }]) {
      const file = text({ mappings: [{ request: { ...request, bodyPatterns: [pattern] }, response }] });
      assert.equal(readAs('wiremock', file).interactions[0]?.request?.messages[0]?.content, 'Say hi.');
    }
    const queryParameters = { 'api version': { equalTo: 'a&b' } };
    const inParts = { method: 'GET', urlPath: '/things', queryParameters };
    const [only] = readAs('wiremock', text({ request: inParts, response })).interactions;
    assert.equal(only?.http?.url, '/things?api%20version=a%26b');
  });

  it('changes a text and the length that follows from it', () => {
    const headers = { ...response.headers, 'Content-Length': `${response.body.length}` };
    const file = text({ mappings: [recorded, { request, response: { ...response, headers } }] });
    const edited = editAnswer(tapeFileFromText(file), 1, 'Good day');
    assert.deepEqual(edited.dependents, ['content-length']);
    assert.ok(edited.text.startsWith(file.slice(0, file.lastIndexOf('"response"'))));
  });

  it('does not serve a response that is in another file, or that is a fault', () => {
    const lackIn = (other: object) => {
      const [only] = wiremockFormat.read(tapeFileFromText(text({ request, response: other }))).interactions;
      return only && lackOf(only);
    };
    assert.deepEqual(lackIn({ status: 200, bodyFileName: 'hi.json' }), { why: 'elsewhere', file: 'hi.json' });
    assert.deepEqual(lackIn({ fault: 'EMPTY_RESPONSE' }), { why: 'failed', reason: 'EMPTY_RESPONSE' });
  });

  it('tells of rules that are no equality, and of responses that are made anew', () => {
    const rules: readonly (readonly [object, string])[] = [
      [{ urlPattern: '/v1/.*' }, '`request.urlPattern`'],
      [{ method: 'ANY' }, '`request.method`'],
      [{ headers: { Accept: { contains: 'json' } } }, '`request.headers.Accept`'],
      [{ queryParameters: { q: { matches: '.*' } } }, '`request.queryParameters.q`'],
      [{ bodyPatterns: [{ matchesJsonPath: '$.model' }] }, '`request.bodyPatterns`'],
      [{ cookies: { a: { equalTo: 'b' } } }, '`request.cookies`'],
    ];
    for (const [rule, name] of rules)
      assert.equal(
        problemsOf({ request: { ...request, ...rule }, response }).find(isNotRead)?.message,
        `content was not read: ${name}`,
      );
    const template = { ...response, transformers: ['response-template'] };
    assert.ok(problemsOf({ request, response: template }).some(isNotRead));
    assert.deepEqual(problemsOf({ request, response: { ...response, transformers: [] } }), []);
  });

  it('reports what is broken, and takes no other file', () => {
    assert.ok(problemsOf({ mappings: 'none' }).length > 0);
    assert.ok(wiremockFormat.read(tapeFileFromText(text(recorded).slice(0, -9))).problems.length > 0);
    const others = [{ mappings: [{ source: 'a', target: 'b' }] }, { mappings: {} }, { request: 'a', response: 'b' }];
    for (const other of others) assert.equal(wiremockFormat.looksLike(tapeFileFromText(text(other))), false);
  });

  it('writes a request that was repeated as a scenario', () => {
    const [call] = readAs('wiremock', text(recorded)).interactions;
    assert.ok(call);
    const written = wiremockFormat.serialise('', [call, call, { ...call, http: { ...call.http, url: '/b' } as never }]);
    const states = JSON.parse(written).mappings.map((one: Record<string, unknown>) => [
      one.scenarioName,
      one.requiredScenarioState,
      one.newScenarioState,
    ]);
    assert.deepEqual(states, [
      ['scenario-1', 'Started', 'scenario-1-2'],
      ['scenario-1', 'scenario-1-2', undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.array(httpExchange, { maxLength: 4 }), (exchanges) => {
        const written = wiremockFormat.serialise(
          '',
          exchanges.map((http) => ({ kind: 'http' as const, http })),
        );
        const file = tapeFileFromText(written);
        assert.equal(formatOf(file).id, 'wiremock');
        const { interactions, problems } = wiremockFormat.read(file);
        assert.deepEqual(problems, []);
        const bytes = (body: Parameters<typeof decodeBody>[0]) => Buffer.from(decodeBody(body).bytes).toString('hex');
        assert.deepEqual(
          interactions.map(({ http }) => http && [http.method, http.status, http.url, bytes(http.responseBody)]),
          exchanges.map(({ method, status, url, responseBody }) => [
            method,
            status,
            url.replace(/^https?:\/\/[^/]*/, ''),
            bytes(responseBody),
          ]),
        );
      }),
      RUNS,
    );
  });
});
