import assert from 'node:assert/strict';
import { environmentSecrets } from '../../../src/core/secrets/environmentSecrets';

describe('a key of letters only', () => {
  it('is a secret where they look drawn by chance, and not where they are words', () => {
    const drawn = 'gVImCEdHToeFWrYfkFPPrlVAqjQbal';
    assert.deepEqual(environmentSecrets({ GITHUB_PAT: drawn }), [drawn]);
    assert.deepEqual(environmentSecrets({ SORT_OF_TOKEN: 'MyCompanyServiceName', CACHE_KEY: 'user-profile' }), []);
  });
});
