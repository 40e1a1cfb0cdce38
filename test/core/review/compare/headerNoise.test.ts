import assert from 'node:assert/strict';
import type { HttpHeader } from '../../../../src/core/model/http';
import type { Interaction } from '../../../../src/core/model/interaction';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { isNoisyHeader } from '../../../../src/core/review/compare/headerNoise';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post } from '../../wire/exchanges';

const URL = 'https://api.openai.com/v1/chat/completions';
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const RESPONSE = { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }] };

function compared(
  side: 'requestHeaders' | 'responseHeaders',
  before: readonly HttpHeader[],
  after: readonly HttpHeader[],
) {
  const tapeOf = (headers: readonly HttpHeader[]) => {
    const http = { ...post(URL, REQUEST, jsonBody(RESPONSE)), [side]: headers };
    const { problems: _, ...reading } = readExchange(http);
    const interaction: Interaction = { index: 0, ...reading, http, source: { start: 0, end: 1 } };
    return { format: 'vcrpy', interactions: [interaction], problems: [] };
  };
  const { changes, hidden } = compareTapes(tapeOf(before), tapeOf(after));
  return { shown: changes.map(({ title }) => title), hidden: hidden.flatMap(({ rules }) => rules) };
}

describe('headers', () => {
  const acted: readonly (readonly [name: string, before: string, after: string | undefined])[] = [
    ['location', 'https://a.example/ok', 'https://evil.example/'],
    ['Location', '/runs/0a1b2c3d-0000-4000-8000-000000000001', '/runs/0a1b2c3d-0000-4000-8000-000000000002'],
    ['content-type', 'application/json', 'text/html'],
    ['content-type', 'application/json', undefined],
    ['link', '<https://a.example?page=2>; rel="next"', '<https://evil.example>; rel="next"'],
    ['set-cookie', 'user=alice; Path=/', 'user=mallory; Path=/'],
    ['set-cookie', 'sid=0123456789abcdef0; Secure', 'sid=0123456789abcdef1'],
    ['set-cookie', 'sid=0123456789abcdef0', 'admin=0123456789abcdef1'],
    ['retry-after', '1', '86400'],
    ['retry-after-ms', '1', '86400'],
    ['x-should-retry', 'true', 'false'],
    ['www-authenticate', 'Bearer', 'Basic realm="evil"'],
    ['access-control-allow-origin', 'https://a.example', '*'],
    ['content-security-policy', "default-src 'self'", '*'],
    ['refresh', '0; url=/a', '0; url=https://evil.example'],
    ['content-disposition', 'attachment; filename=a.txt', 'attachment; filename=a.exe'],
    ['cache-control', 'no-store', 'public'],
    ['x-of-nobody', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ];
  for (const [name, before, after] of acted)
    it(`are a change where a program may act on them: ${name}, ${after}`, () => {
      const { shown } = compared('responseHeaders', [[name, before]], after === undefined ? [] : [[name, after]]);
      assert.deepEqual(shown, [`Response header ${name.toLowerCase()}`]);
    });

  it('are a change in a request, too, where they say what is asked', () => {
    const { shown } = compared('requestHeaders', [['anthropic-beta', 'a']], [['anthropic-beta', 'b']]);
    assert.deepEqual(shown, ['Request header anthropic-beta']);
  });

  const renewed: readonly (readonly [name: string, before: string, after: string])[] = [
    ['Date', 'Mon, 01 Jan 2024 00:00:00 GMT', 'Tue, 02 Jan 2024 00:00:00 GMT'],
    ['x-request-id', 'req_a', 'req_b'],
    ['openai-processing-ms', '120', '340'],
    ['x-ratelimit-remaining-tokens', '10', '9'],
    ['anthropic-ratelimit-tokens-reset', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['CF-RAY', '8a-FRA', '8b-TXL'],
    ['content-length', '10', '12'],
    [
      'set-cookie',
      '__cf_bm=AbCdEf0123456789-1700000000; path=/; expires=Mon',
      '__cf_bm=GhIjKl0123456789-1800000000; expires=Tue; path=/',
    ],
    ['x-amzn-requestid', '1', '2'],
    ['server-timing', 'a;dur=1', 'a;dur=2'],
  ];
  for (const [name, before, after] of renewed)
    it(`are noise where every recording has them anew: ${name}`, () => {
      const { shown, hidden } = compared('responseHeaders', [[name, before]], [[name, after]]);
      assert.deepEqual([shown, hidden], [[], ['headers']]);
    });

  it('are noise in another order, with other capitals, and with another boundary', () => {
    const [one, other]: readonly HttpHeader[] = [
      ['Content-Type', 'multipart/form-data; boundary=a1'],
      ['Accept', '*/*'],
    ];
    assert.ok(one && other);
    const { shown, hidden } = compared(
      'requestHeaders',
      [one, other],
      [other, ['content-type', 'multipart/form-data; boundary="b2"']],
    );
    assert.deepEqual([shown, hidden], [[], ['headers']]);
  });

  it('are a change for each, beside what is noise', () => {
    const headers = (date: string, link: string, type: string): readonly HttpHeader[] => [
      ['date', date],
      ['link', link],
      ['content-type', type],
    ];
    const { shown, hidden } = compared('responseHeaders', headers('1', 'a', 'x/y'), headers('2', 'b', 'x/z'));
    assert.deepEqual(shown, ['Response header link', 'Response header content-type']);
    assert.deepEqual(hidden, ['headers']);
  });

  it('are noise by their whole name only', () => {
    for (const name of ['x-update', 'location-date', 'x-customer-id', 'retry-after', 'x-user-agent', 'etagged'])
      assert.ok(!isNoisyHeader(name, ['a'], ['b']), name);
  });
});
