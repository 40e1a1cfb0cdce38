import assert from 'node:assert/strict';
import { SecretSearches } from '../../../src/core/secrets/secretSources';

describe('the stamp of a search for secrets', () => {
  const environment = { OPENAI_API_KEY: 'sk-proj-9fJ2kQ7xLm3TzVb8RwYc', LANG: 'en' };
  const sources = { values: [], patterns: ['ORD-\\d+'] };
  const stamp = new SecretSearches(environment).stampOf(sources);

  it('is the same in every window, whatever else changes in the environment', () => {
    assert.equal(new SecretSearches({ ...environment, LANG: 'it' }).stampOf({ ...sources }), stamp);
  });

  it('changes with everything that is searched for', () => {
    const searches = new SecretSearches(environment);
    const others = [
      searches.stampOf({ ...sources, patterns: [] }),
      searches.stampOf({ ...sources, values: ['correct horse'] }),
      new SecretSearches({}).stampOf(sources),
      new SecretSearches({ OPENAI_API_KEY: 'sk-proj-0aB1cD2eF3gH4iJ5kL6m' }).stampOf(sources),
    ];
    assert.equal(new Set([stamp, ...others]).size, 5);
    assert.equal(searches.stampOf(sources), stamp);
  });

  it('is too short to tell a secret by', () => assert.match(stamp, /^[\da-f]{8}$/));
});
