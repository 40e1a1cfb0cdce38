import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import type { HttpBody } from '../../../../src/core/model/http';
import { goVcrFormat } from '../../../../src/core/tapes/formats/goVcr/index';
import { httpmockFormat } from '../../../../src/core/tapes/formats/httpmock/index';
import { rubyVcrFormat, rVcrFormat } from '../../../../src/core/tapes/formats/rubyVcr/index';
import { headerValuesByName } from '../../../../src/core/tapes/formats/shared/recordedHttp';
import { vcrpyFormat } from '../../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { exchange as chat } from '../chatArbitraries';
import { formatOf } from '../editing';
import { httpExchange } from '../httpArbitraries';

const FORMATS = [vcrpyFormat, rubyVcrFormat, rVcrFormat, goVcrFormat, httpmockFormat];

function contentOf(body: HttpBody): string {
  return encodeBase64(decodeBody(body).bytes);
}

describe('cassettes that are made', () => {
  for (const format of FORMATS) {
    it(`carry any HTTP in ${format.id}`, () => {
      fc.assert(
        fc.property(fc.array(httpExchange, { maxLength: 4 }), (exchanges) => {
          const written = format.serialise(
            'a name',
            exchanges.map((http) => ({ kind: 'http', http })),
          );
          const file = tapeFileFromText(written);
          if (exchanges.length > 0) assert.equal(formatOf(file).id, format.id, written);
          const { interactions, problems } = format.read(file);
          const serious = problems.filter(({ severity }) => severity === 'error');
          assert.deepEqual(serious, [], written);
          assert.equal(interactions.length, exchanges.length);
          for (const [index, before] of exchanges.entries()) {
            const after = interactions[index]?.http;
            assert(after);
            const address = format === httpmockFormat ? before.url.replace(/^\w+:\/\/[^/]*/, '') : before.url;
            assert.equal(after.url, address);
            assert.equal(after.method, before.method);
            assert.equal(after.status, before.status);
            assert.equal(contentOf(after.responseBody), contentOf(before.responseBody), written);
            assert.equal(contentOf(after.requestBody), contentOf(before.requestBody), written);
            assert.deepEqual(headerValuesByName(after.responseHeaders), headerValuesByName(before.responseHeaders));
            const kept = format === rVcrFormat ? [] : before.requestHeaders;
            assert.deepEqual(headerValuesByName(after.requestHeaders), headerValuesByName(kept));
          }
        }),
        { numRuns: 60 },
      );
    });

    it(`carry calls of models in ${format.id}`, () => {
      fc.assert(
        fc.property(fc.array(chat, { minLength: 1, maxLength: 3 }), (recorded) => {
          const file = tapeFileFromText(format.serialise('a name', recorded));
          const { interactions } = formatOf(file).read(file);
          for (const [index, { request, response }] of recorded.entries()) {
            const after = interactions[index];
            assert.equal(after?.kind, 'llm');
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

  it('keep the time of an answer in go-vcr, and the day in VCR', () => {
    const interaction = { kind: 'llm', timing: { durationMs: 1234.5, recordedAt: '2026-08-19T14:35:49Z' } } as const;
    const go = goVcrFormat.read(tapeFileFromText(goVcrFormat.serialise('a', [interaction])));
    assert.equal(go.interactions[0]?.timing?.durationMs, 1234.5);
    const ruby = rubyVcrFormat.read(tapeFileFromText(rubyVcrFormat.serialise('a', [interaction])));
    assert.equal(ruby.interactions[0]?.timing?.recordedAt, 'Wed, 19 Aug 2026 14:35:49 GMT');
    const r = rVcrFormat.read(tapeFileFromText(rVcrFormat.serialise('a', [interaction])));
    assert.equal(r.interactions[0]?.timing?.recordedAt, '2026-08-19 14:35:49');
  });
});
