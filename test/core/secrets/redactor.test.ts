import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { pattern } from '../text/filePattern';

const KEY = 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

describe('the redactor of recordings', () => {
  const redactor = createRedactor();

  it('puts the kind of a secret in its place, so that another key of the kind is the same', () => {
    const other = 'sk-ant-api03-zZ9yY8xX7wW6vV5uU4tT3sS2rR1qQ0pP';
    assert.equal(redactor.text(`use ${KEY} now`), 'use [redacted:anthropic-key] now');
    assert.equal(redactor.text(`use ${other} now`), redactor.text(`use ${KEY} now`));
  });

  it('knows members by their names, also in JSON inside of strings', () => {
    assert.equal(redactor.text('{"password": "hunter2"}'), '{"password": "[redacted]"}');
    const nested = JSON.stringify({ arguments: JSON.stringify({ user: 'ada', password: 'hun"ter2' }) });
    const read = JSON.parse(redactor.text(nested)) as { arguments: string };
    assert.deepEqual(JSON.parse(read.arguments), { user: 'ada', password: '[redacted]' });
  });

  it('leaves log probabilities, schemas and words alone', () => {
    for (const text of ['{"token":"Hello"}', '{"password":{"type":"string"}}', 'the password is needed'])
      assert.equal(redactor.text(text), text);
  });

  it('takes out accounts, values it is told, and patterns of the project', () => {
    const told = createRedactor({ values: ['p/q"r-77-secret'], patterns: [pattern('CUST-\\d+')] });
    assert.equal(
      redactor.text('in organization org-aB3dE5fG7hJ9kL1mN3pQ5rS7 on'),
      'in organization [redacted:account] on',
    );
    assert.equal(
      told.text(JSON.stringify({ a: 'p/q"r-77-secret', b: 'CUST-8812' })),
      '{"a":"[redacted]","b":"[redacted]"}',
    );
    assert.equal(told.url('/v1?x=p%2Fq%22r-77-secret'), '/v1?x=[redacted]');
  });

  it('takes keys out of addresses', () => {
    assert.equal(
      redactor.url('/v1beta/models/x:generate?key=abc&alt=sse'),
      '/v1beta/models/x:generate?key=[redacted]&alt=sse',
    );
  });

  it('keeps no header that identifies a caller', () => {
    const kept = redactor.headers([
      ['content-type', 'application/json'],
      ['Authorization', `Bearer ${KEY}`],
      ['x-api-key', KEY],
      ['set-cookie', 'sid=1'],
      ['openai-organization', 'acme'],
      ['anthropic-ratelimit-input-tokens-limit', '1000'],
      ['x-request-id', 'req_1'],
      ['x-note', KEY],
    ]);
    assert.deepEqual(
      kept.map(([name, value]) => `${name}: ${value}`),
      [
        'content-type: application/json',
        'anthropic-ratelimit-input-tokens-limit: 1000',
        'x-request-id: req_1',
        'x-note: [redacted:anthropic-key]',
      ],
    );
  });

  it('changes nothing more the second time', () => {
    const parts = fc.constantFrom(
      KEY,
      '"password": "x y"',
      '\\"password\\":\\"a\\"',
      ' ',
      '"',
      '?key=',
      'org-aB3dE5fG7hJ9kL1mN3pQ5rS7',
      'api_key=',
      'aB3dE5fG7hJ9kL1mN3pQ5rS7',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 12 }), (texts) => {
        const once = redactor.text(texts.join(''));
        assert.equal(redactor.text(once), once);
      }),
    );
  });
});
