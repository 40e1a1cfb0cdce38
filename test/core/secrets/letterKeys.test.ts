import assert from 'node:assert/strict';
import { environmentSecrets } from '../../../src/core/secrets/environmentSecrets';
import { isOrdinaryValue, isPlaceholder, isRandom } from '../../../src/core/secrets/randomness';
import { SecretSearch } from '../../../src/core/secrets/secretSearch';

const DRAWN = [
  'gVImCEdHToeFWrYfkFPPrlVAqjQbal',
  'piLJAIQJkKam-AXmJooKrSGaI-WeiGjTSHbmYW',
  'plvxOiqwdujqmnjNJWuatRnrmUwX',
];
const WORDS = [
  'MyCompanyServiceName',
  'user-profile',
  'getHttpResponseBody',
  'claude.sonnet.latest',
  'some/path/ToAFile',
  'OPENAI_API_KEY',
  'XMLHttpRequest',
  'application/vnd.amazon.eventstream',
];

describe('a key of letters only', () => {
  it('is a secret where they look drawn by chance, and not where they are words', () => {
    for (const drawn of DRAWN)
      assert.deepEqual(environmentSecrets({ GITHUB_PAT: drawn, SOME_SETTING: drawn }), [drawn]);
    assert.deepEqual(environmentSecrets({ SORT_OF_TOKEN: 'MyCompanyServiceName', CACHE_KEY: 'user-profile' }), []);
  });

  it('is told from words', () => {
    for (const drawn of DRAWN) assert.deepEqual([isRandom(drawn), isOrdinaryValue(drawn)], [true, false], drawn);
    for (const words of WORDS) assert.equal(isOrdinaryValue(words), true, words);
  });

  it('is a secret with digits or a short repetition in it', () => {
    for (const key of [
      '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',
      '8rjXXXIKw3sLruHWYwYkojpetl9b',
      'buVhwAXXXyJamICAJNMxVt5rownq',
      'rlbmgaYXXXG44dEH0FEfQiRKudkC',
      'AKIAD2XXXW4FZ6NYBVHT',
      'xoxb-629108000777-7p2cXP90XXXh7l2ZMdBhbtUO',
    ])
      assert.equal(isPlaceholder(key), false, key);
    for (const example of [
      'sk-abcXXXdef123',
      'myTokenXXXgoesHere12',
      'AKIAXXXXXXXXXXXXXXXX',
      'apikeyXXX123456789012',
      'sk-XXXXXXXXXXXXXXXXXXXXXXXX',
      'tvly-dev-your-key-goes-here',
      'sk-test-abcdefghijklmnop1234567890',
    ])
      assert.equal(isPlaceholder(example), true, example);
  });

  it('is a code in a URL', () => {
    const search = new SecretSearch();
    for (const drawn of DRAWN)
      assert.equal(
        search.hide(`https://a.example/cb?code=${drawn}&x=1`, true),
        'https://a.example/cb?code=[redacted]&x=1',
      );
    const ordinary = 'https://a.example/cb?code=PaymentRequired';
    assert.equal(search.hide(ordinary, true), ordinary);
  });
});
