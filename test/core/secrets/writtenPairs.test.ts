import assert from 'node:assert/strict';
import { SecretSearch } from '../../../src/core/secrets/secretSearch';

const search = new SecretSearch();
const rules = (text: string): string[] => search.find(text).map(({ rule }) => rule);
const VALUE = 'N44A3C7Fis2jDHObCkhGZGdQgkVU';

describe('a name and its value side by side', () => {
  const SECRETS = [
    `["x-api-key","${VALUE}"]`,
    `[ "x-api-key", "${VALUE}" ]`,
    JSON.stringify(`[["accept","*/*"],["x-api-key","${VALUE}"]]`),
    `["set-cookie","sid=${VALUE}; Path=/"]`,
    `["cookie", "session=${VALUE}"]`,
    `{"name":"code","value":"${VALUE}"}`,
    `{"name": "X-Goog-Signature", "value": "${VALUE}"}`,
    `  - name: key\n    value: ${VALUE}\n`,
  ];
  for (const text of SECRETS) it(`is a secret in ${text}`, () => assert.equal(rules(text).length, 1));

  const ORDINARY = [
    '["password","username"]',
    '{"required":["api_key","MyCompanyServiceName"]}',
    `["api_key","${VALUE}","other"]`,
    `["accept","${VALUE}"]`,
    '{"name":"code","value":"some-words-that-follow"}',
    '{"name":"code","value":"2026-01-02T03:04:05.000Z"}',
    `{"name":"id","value":"${VALUE}"}`,
  ];
  for (const text of ORDINARY) it(`is none in ${text}`, () => assert.deepEqual(rules(text), []));
});
