import assert from 'node:assert/strict';
import {
  readStoredSample,
  readStoredTrial,
  type StoredSample,
  storedSample,
  storedTrial,
} from '../../../src/core/trials/storedSample';

const SAMPLE = storedSample({
  verdict: 'failed',
  failure: 'Output: differs',
  failureKind: 'difference',
  durationMs: 12.5,
  tape: 'case.tape.json',
  calls: [{ model: 'm', usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } }, {}],
  compared: { of: 'digest', changes: 1 },
});

describe('a kept sample', () => {
  it('reads as it was written', () => assert.deepEqual(readStoredSample(JSON.stringify(SAMPLE)), SAMPLE));

  const damaged: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'of another version': { version: 2 },
    'with a verdict that there is not': { verdict: 'maybe' },
    'whose tape is in another folder': { tape: '../case.tape.json' },
    'whose tape is in another folder of Windows': { tape: 'a\\case.tape.json' },
    'whose tape is no name': { tape: ['case.tape.json'] },
    'without calls': { calls: undefined },
    'with tokens that are text': { calls: [{ usage: { ...SAMPLE.calls[0]?.usage, totalTokens: '3' } }] },
    'with half a comparison': { compared: { of: 'digest' } },
  } satisfies Record<string, { readonly [Key in keyof StoredSample]?: unknown }>;
  for (const [what, change] of Object.entries(damaged))
    it(`is not read ${what}`, () =>
      assert.equal(readStoredSample(JSON.stringify({ ...SAMPLE, ...change })), undefined));
});

describe('a kept trial', () => {
  const TRIAL = storedTrial({ casePaths: ['a.toml'], models: ['m'], samples: 3 });

  it('reads as it was written', () => assert.deepEqual(readStoredTrial(JSON.stringify(TRIAL)), TRIAL));

  it('is not read of another version, without samples, or with names that are none', () => {
    for (const change of [{ version: 0 }, { samples: 0 }, { samples: 1.5 }, { models: [3] }, { casePaths: 'a.toml' }])
      assert.equal(readStoredTrial(JSON.stringify({ ...TRIAL, ...change })), undefined);
  });
});
