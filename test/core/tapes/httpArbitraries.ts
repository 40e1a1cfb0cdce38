import fc from 'fast-check';
import { encodeBase64 } from '../../../src/core/bytes/base64';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../src/core/model/http';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .string({ unit: 'binary', maxLength: 300 })
    .map((value) => new TextDecoder().decode(new TextEncoder().encode(value))),
  fc.lorem({ maxCount: 40 }),
  fc.constantFrom('data: {"a":1}\n\ndata: [DONE]\n\n', '12', 'null', '\n', ' ', '---', '# x', 'a: b', '"', "'"),
);
const body: fc.Arbitrary<HttpBody> = fc.oneof(
  fc.constant<HttpBody>({ type: 'none' }),
  text.map((value): HttpBody => ({ type: 'text', text: value })),
  fc.uint8Array({ maxLength: 200 }).map((bytes): HttpBody => ({ type: 'base64', base64: encodeBase64(bytes) })),
);
const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{1,12}$/);
const headers: fc.Arbitrary<readonly HttpHeader[]> = fc
  .uniqueArray(fc.tuple(token, text), { maxLength: 3, selector: ([name]) => name.toLowerCase() })
  .map((list) => list.map(([name, value]): HttpHeader => [name, value]));
/** HTTP that any recorder of it can carry. */
export const httpExchange: fc.Arbitrary<HttpExchange> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  url: fc.constantFrom(
    'https://example.com/v1/things',
    'https://example.com/a/b?c=d%20e&f=%26',
    'http://localhost:8080/',
  ),
  requestHeaders: headers,
  requestBody: body,
  status: fc.constantFrom(200, 404, 418, 599),
  responseHeaders: headers,
  responseBody: body,
});
