import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { HttpBody, HttpExchange } from '../../../src/core/model/http';
import { environmentSecrets } from '../../../src/core/secrets/environmentSecrets';
import { redactTape } from '../../../src/core/secrets/redactTape';
import { SecretSearch } from '../../../src/core/secrets/secretSearch';
import { secretsLeft } from '../../../src/core/secrets/secretsLeft';
import { secretAt } from '../../../src/core/secrets/secretValues';
import { readTape } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isWritable } from '../../../src/core/tapes/writableFormat';
import { compilePattern, isRefused } from '../../../src/core/text/compilePattern';
import { applySplices } from '../../../src/core/text/splice';

const KEY = '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';
const VALUE = 'q7Lm2Zx9Tr4Vb6Ny8Kp3Wd5';
const CUSTOMER = 'CUST-7F3K9Q2M';

const pattern = compilePattern('CUST-[A-Z0-9]{8}', 'javascript');
assert.ok(!isRefused(pattern));
const search = new SecretSearch({ values: environmentSecrets({ SOME_SETTING: VALUE }), patterns: [pattern] });

const text = (content: string): HttpBody => ({ type: 'text', text: content });
const bytes = (content: Buffer): HttpBody => ({ type: 'base64', base64: content.toString('base64') });
const pieces = (secret: string): string[] => secret.match(/.{1,5}/g) ?? [];
const escaped = (secret: string): string =>
  Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percents = (secret: string): string =>
  Array.from(secret, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');

const BODIES: Readonly<Record<string, (secret: string) => HttpBody>> = {
  'plain text': (secret) => text(`It is ${secret}.`),
  'base64 in a text': (secret) =>
    text(`It is ${Buffer.from(`the key is ${secret}, keep it`).toString('base64')} indeed.`),
  'base64 in JSON': (secret) => text(JSON.stringify({ note: Buffer.from(`key: ${secret}`).toString('base64') })),
  'a data URL': (secret) => text(`data:text/plain;base64,${Buffer.from(`key=${secret}`).toString('base64')}`),
  'gzip in base64': (secret) => text(`see ${gzipSync(`the key is ${secret}`).toString('base64')}`),
  escapes: (secret) => text(`{"note":"${escaped(secret)}"}`),
  'percent-encoding': (secret) => text(`note=${percents(secret)}&a=1`),
  'UTF-16': (secret) => bytes(Buffer.from(`\ufeffkey ${secret} end`, 'utf16le')),
  octets: (secret) => bytes(Buffer.concat([Buffer.from([0, 1, 255]), Buffer.from(` ${secret} `), Buffer.from([254])])),
  'an unknown stream': (secret) =>
    text(
      pieces(secret)
        .map((word) => `data: ${JSON.stringify({ word })}\n\n`)
        .join(''),
    ),
  'unknown lines': (secret) =>
    text(
      pieces(secret)
        .map((bit, at) => `${JSON.stringify({ at, bit })}\n`)
        .join(''),
    ),
};

const exchange = (responseBody: HttpBody): HttpExchange => ({
  method: 'POST',
  url: 'https://api.example.com/things',
  requestHeaders: [],
  requestBody: text('{"a":1}'),
  status: 200,
  responseHeaders: [],
  responseBody,
});

function tapeOf(id: string, body: HttpBody): TapeFile {
  const format = formats.filter(isWritable).find((one) => one.id === id);
  assert.ok(format, id);
  const content = format.serialise('a tape', [{ kind: 'http', http: exchange(body) }]);
  return tapeFileFromText(content, id === 'vcrpy' ? 'a.yaml' : `a.${id}`);
}

describe('hiding everything that is found', () => {
  for (const [name, body] of Object.entries(BODIES))
    it(`leaves nothing of ${name}, by shape, by value, and by the patterns of the project`, () => {
      for (const id of ['vcrpy', 'har', 'httprr'])
        for (const secret of [KEY, VALUE, CUSTOMER]) {
          const file = tapeOf(id, body(secret));
          const before = secretsLeft(file, search);
          // Only text has a place in httprr.
          if (id === 'httprr' && body(secret).type === 'base64') continue;
          assert.ok(before.length > 0, `${id} ${secret}`);
          const outcome = redactTape(file, undefined, search);
          assert.ok(!('refused' in outcome), `${id} ${secret}: ${JSON.stringify(outcome)}`);
          const after = tapeFileFromText(applySplices(file.text, outcome.splices), file.path);
          assert.deepEqual(secretsLeft(after, search), [], `${id} ${secret}`);
          const [was, is] = [readTape(file), readTape(after)];
          assert.equal(is?.interactions.length, was?.interactions.length);
          assert.deepEqual(is?.problems, was?.problems);
        }
    });

  it('does not know the values and patterns of a project that is not named', () => {
    const file = tapeOf('vcrpy', text(`It is ${CUSTOMER}, or ${VALUE}.`));
    assert.deepEqual(redactTape(file), { splices: [], dependents: [], substitutes: [] });
    assert.equal(secretAt(file.text, file.text.indexOf(CUSTOMER)), undefined);
    assert.equal(secretAt(file.text, file.text.indexOf(CUSTOMER), search), CUSTOMER);
  });

  it('refuses where something would be left', () => {
    const odd = gzipSync(`the key is ${KEY}, \xff`.repeat(3));
    const file = tapeOf('vcrpy', text(`${odd.toString('base64').slice(0, -9)} ${KEY}`));
    const outcome = redactTape(file, undefined, search);
    assert.ok(
      'refused' in outcome ||
        secretsLeft(tapeFileFromText(applySplices(file.text, outcome.splices), 'a.yaml'), search).length === 0,
    );
  });
});
