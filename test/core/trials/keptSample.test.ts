import assert from 'node:assert/strict';
import {
  type KeptSample,
  keptSample,
  keptTrial,
  readKeptSample,
  readKeptTrial,
} from '../../../src/core/trials/keptSample';

const SAMPLE = keptSample({
  verdict: 'failed',
  failure: 'Output: differs',
  failureKind: 'difference',
  durationMs: 12.5,
  tape: 'case.tape.json',
  calls: [{ model: 'm', usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } }, {}],
  compared: { of: 'digest', changes: 1 },
});

describe('a kept sample', () => {
  it('reads as it was written', () => assert.deepEqual(readKeptSample(JSON.stringify(SAMPLE)), SAMPLE));

  const damaged: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'of another version': { version: 2 },
    'with a verdict that there is not': { verdict: 'maybe' },
    'whose tape is in another folder': { tape: '../case.tape.json' },
    'whose tape is in another folder of Windows': { tape: 'a\\case.tape.json' },
    'whose tape is no name': { tape: ['case.tape.json'] },
    'without calls': { calls: undefined },
    'with tokens that are text': { calls: [{ usage: { ...SAMPLE.calls[0]?.usage, totalTokens: '3' } }] },
    'with half a comparison': { compared: { of: 'digest' } },
  } satisfies Record<string, { readonly [Key in keyof KeptSample]?: unknown }>;
  for (const [what, change] of Object.entries(damaged))
    it(`is not read ${what}`, () => assert.equal(readKeptSample(JSON.stringify({ ...SAMPLE, ...change })), undefined));
});

describe('a kept trial', () => {
  const TRIAL = keptTrial({ casePaths: ['a.toml'], models: ['m'], samples: 3 });

  it('reads as it was written', () => assert.deepEqual(readKeptTrial(JSON.stringify(TRIAL)), TRIAL));

  it('is not read of another version, without samples, or with names that are none', () => {
    for (const change of [{ version: 0 }, { samples: 0 }, { samples: 1.5 }, { models: [3] }, { casePaths: 'a.toml' }])
      assert.equal(readKeptTrial(JSON.stringify({ ...TRIAL, ...change })), undefined);
  });
});
