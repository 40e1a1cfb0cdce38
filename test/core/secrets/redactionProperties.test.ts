import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compactJson, type Json } from '../../../src/core/json/json';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { pattern } from '../text/filePattern';

const KEY = 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const VALUE = 'corr3ct/Horse"Battery+Staple';
const redactor = createRedactor({ values: [VALUE], patterns: [pattern('CUST-\\d+')] });

const pieces = fc.constantFrom(
  KEY,
  VALUE,
  VALUE.slice(0, 12),
  'CUST-8812',
  '[redacted]',
  '[redacted:',
  ']',
  '"password": "x y"',
  '\\"password\\":\\"a\\"',
  '?key=',
  '&code=',
  'cookie: session=',
  'Bearer ',
  'org-aB3dE5fG7hJ9kL1mN3pQ5rS7',
  'api_key=',
  'aB3dE5fG7hJ9kL1mN3pQ5rS7',
  Buffer.from(`it is ${KEY}`).toString('base64'),
  encodeURIComponent(VALUE),
  '\\u0073',
  '\\/',
  '%73',
  '\n',
  '\\n',
  'data: {"t":"',
  '"}\n\n',
  ' ',
);
const texts = fc
  .array(fc.oneof({ weight: 3, arbitrary: pieces }, fc.string()), { maxLength: 14 })
  .map((parts) => parts.join(''));

describe('redacting', () => {
  it('a second time changes nothing more, in texts, addresses and bodies', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactor.text(text);
        assert.equal(redactor.text(once), once);
        const url = redactor.url(text);
        assert.equal(redactor.url(url), url);
        const body = redactor.body(Buffer.from(text), []);
        assert.deepEqual(body && redactor.body(body, []), body);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves no trace of a secret, and JSON that can be read', () => {
    const json = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        texts,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom('password', 'content', 'api_key', 'id'), fc.string()), tie('value'), {
          maxKeys: 4,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        const clean = redactor.value(value);
        const written = compactJson(clean);
        assert.ok(!written.includes(KEY) && !written.includes(JSON.stringify(VALUE).slice(1, -1)), written);
        assert.equal(redactor.value(clean), clean, 'the second time');
        const body = redactor.body(Buffer.from(compactJson(value)), [['content-type', 'application/json']]);
        const text = Buffer.from(body ?? []).toString();
        assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
        assert.ok(!text.includes(KEY), text);
      }),
      { numRuns: 500 },
    );
  });

  it('gives ordinary values as they are: the same object', () => {
    const plain = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(plain, (value) => assert.equal(createRedactor().value(value), value)),
      { numRuns: 500 },
    );
  });

  it('another key of the kind gives the same', () => {
    const other = KEY.replace(/.{20}$/, 'zZ9yY8xX7wW6vV5uU4tT');
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(
          redactor.text(text.replaceAll(KEY, other)).replaceAll(/[\w+/=]{40,}/g, ''),
          redactor.text(text).replaceAll(/[\w+/=]{40,}/g, ''),
        );
      }),
    );
  });

  it('takes no more than the time to read a body', () => {
    const nasty = [
      ...['<password ', '<password>', '<password>a', '<input name="token" ', '<a name="password">', '<key>token</key>'],
      ...['--password ', '"--token","', 'curl -u ', 'curl a', 'login -p ', 'mysql ', 'machine a login ', 'default '],
      ...['kty"', '"kty":"d":"', 'mnemonic: ', 'seed phrase: word word ', 'Digest a', 'a:5432:', 'a:*:b:', '://a@'],
      ...[
        '=a+',
        'a=b+%41',
        '&quot;',
        '&lt;',
        '&X-Amz-Signature=aB3dE5fG7hJ9kL1m',
        'EAA',
        'v1.local.',
        'eyJa.',
        '/SK',
        'sl.',
      ],
      ...['AAAA', 'patA', ':APA91b', 'NRAL', '8Q~', '.atlasv1.', 'token: ', '"token":"', 'auth=', 'device_code '],
      'cookie: session=a; ',
      'password=',
      '"password":"',
      '%25',
      '\\u0073',
      '\\\\u005c',
      '://a:',
      'form-data; name="a"\n',
    ];
    nasty.push(
      'A/',
      '{"a":"b"}',
      '0:"x"\n',
      'data: x\n\n',
      VALUE.slice(0, 8),
      '?key=',
      '&sig=',
      '[redacted]',
      'x=y&',
      'H4sIAAAA',
    );
    // With the square of it, this would outlast the suite's patience.
    for (const piece of nasty) redactor.body(Buffer.from(piece.repeat(Math.ceil(200_000 / piece.length))), []);
  });
});
