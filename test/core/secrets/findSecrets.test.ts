import assert from 'node:assert/strict';
import { findSecrets } from '../../../src/core/secrets/findSecrets';
import { randomFrom } from '../tapes/mutations';

const random = randomFrom(11);
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Letters of chance: nothing in this file looks like a secret itself. */
const chance = (length: number, alphabet = ANY): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');

const rulesIn = (text: string): string[] => findSecrets(text).map(({ rule }) => rule);

describe('the secrets in a text', () => {
  const key = `gsk_${chance(52)}`;

  it('are found where they stand, wherever that is', () => {
    const places = [
      `"${key}"`,
      `authorization:\n- Bearer ${key}\n`,
      `https://api.example.com/v1?key=${key}&alt=sse`,
      `{\\"api_key\\": \\"${key}\\"}`,
      `x-api-key: ${key}\r\n`,
      `Use ${key}, please.`,
      `<${key}>`,
    ];
    for (const text of places) {
      const [found, ...more] = findSecrets(text);
      assert.deepEqual(more, [], text);
      assert.equal(found?.rule, 'groq-key', text);
      assert.equal(text.slice(found?.start, found?.end), key);
    }
  });

  it('are found in each URL with a password, wherever another one begins', () => {
    const password = `x${chance(14)}`;
    const url = `postgres://app:${password}@db.example.com/app`;
    const near = [
      '://',
      '://:',
      `a://${url}`,
      `://b://:${password}@c`,
      `${url}${url}`,
      `://app:://d:${password}@[::1]`,
    ];
    for (const text of near.map((one) => `${one} ${url} and ${url}`)) {
      const expected = Array.from(
        text.matchAll(/:\/\/[^\s/:@"'\\?#]{0,100}:(?<secret>[^\s/@"'\\?#]{3,200})@(?=[A-Za-z0-9[])/g),
        ({ 0: match, index }) => index + match.length - 1,
      );
      const found = findSecrets(text).filter(({ rule }) => rule === 'url-password');
      assert.deepEqual(
        found.map(({ end }) => end),
        expected,
        text,
      );
      assert.ok(found.length >= 2);
    }
  });

  it('are found in a private key whose lines are indented, or folded by YAML', () => {
    const lines = [chance(64), chance(64)];
    for (const between of ['\n          ', '\\n', '\\\\n', '\r\n']) {
      const text = `-----BEGIN ${'PRIVATE'} KEY-----${between}${lines.join(between)}${between}and more.`;
      assert.deepEqual(rulesIn(text), ['private-key'], JSON.stringify(between));
    }
  });

  it('are never shown', () => {
    const text = `${key} Bearer ${chance(40)} aws_secret_access_key=${chance(40)} AKIA${chance(16, 'ABCDEFGHIJKLMNOP234567')}`;
    const found = findSecrets(text);
    assert.equal(found.length, 4);
    for (const { start, end, excerpt } of found) {
      const secret = text.slice(start, end);
      assert.match(excerpt, /… \(\d+ characters\)$/);
      for (let at = 4; at + 6 <= secret.length; at += 1)
        assert.ok(!excerpt.includes(secret.slice(at, at + 6)), excerpt);
    }
  });

  it('are told by their names where they have no shape', () => {
    const value = chance(40);
    const named = [
      `aws_secret_access_key = ${value}`,
      `"secretAccessKey":"${value}"`,
      `"client_secret": "${value}"`,
      `X-Amz-Security-Token:\n      - ${value}`,
      `"Authorization": [\n  "${value}"\n]`,
      `{"name": "x-api-key", "value": "${value}"}`,
      `- name: api-key\n  value: ${value}`,
      `password=${value}`,
      `azure_openai_api_key: '${value}'`,
    ];
    for (const text of named) assert.deepEqual(rulesIn(text), ['named-secret'], text);
  });

  it('are none where somebody took them out, or made them up', () => {
    const stand = [
      'sk-REDACTEDREDACTEDREDACTED',
      'Bearer <YOUR_API_KEY_GOES_HERE>',
      'sk-XXXXXXXXXXXXXXXXXXXXXXXXXXXX',
      'sk-test-key-of-nobody-in-particular',
      `sk-fake${chance(30)}`,
      `Sanitized-${chance(20)}`,
      'AKIAIOSFODNN7EXAMPLE',
      'x-api-key: ****************',
      'Bearer your-api-key-goes-here',
      `sk-${'a'.repeat(48)}`,
      `sk-${chance(24)}...`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as templates have it
      'api_key: ${OPENAI_API_KEY_FROM_ENV}',
      '-----BEGIN PRIVATE KEY-----\nREDACTED\n-----END PRIVATE KEY-----',
    ];
    for (const text of stand) assert.deepEqual(rulesIn(`"api_key": "${text}"`), [], text);
  });

  it('are not seen in words, ids, dates, models and counts', () => {
    const ordinary = [
      '"max_tokens": 10000000000000000',
      '"token": "this-is-only-a-word-of-some-kind"',
      '"access_token_id": "5c1e8a3e-9f6b-4a51-8a52-6a1f5f9f2c11"',
      '"access_token": "00000000-0000-0000-0000-000000000000"',
      '"password": "2026-01-01T00:00:00.000Z"',
      '"next_page_token": "CAoSBQoDMTIzGgR0ZXN0IhAxMjM0NTY3ODkwMTIzNDU2"',
      '"prompt_cache_key": "a1b2c3d4e5f6a7b8c9d0e1f2"',
      '"tokenizer": "cl100k_base_with_more_2048"',
      'task-specific-instructions-for-everyone',
      'risk-assessment-2026-for-sk-customers',
    ];
    for (const text of ordinary) assert.deepEqual(rulesIn(text), [], text);
  });

  it('are not seen inside base64, encrypted reasoning and images', () => {
    const base64 = `${ANY}+/`;
    for (let round = 0; round < 50; round += 1) {
      const blob = `${chance(400, base64) + key.replace('_', '/') + chance(30, base64)}AIza${chance(35)}${chance(400, base64)}`;
      assert.deepEqual(rulesIn(`"encrypted_content": "${blob}"`), []);
      assert.deepEqual(rulesIn(`string: !!binary |\n  ${blob.replace(/.{76}/g, '$&\n  ')}`), []);
      assert.deepEqual(rulesIn(`data:image/png;base64,${blob}`), []);
    }
  });

  it('take no more than the time to read the text', () => {
    const nasty = [
      'eyJ',
      'Bearer ',
      'api_key=',
      'sk-',
      '-----BEGIN PRIVATE KEY-----\n',
      'https://a:',
      'a',
      '\\"',
      'authorization: ',
    ];
    for (const piece of nasty) {
      // With the square of it, this would outlast the suite's patience.
      findSecrets(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    }
  });
});
