import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../../src/core/json/json';
import { reportedCost } from '../../../../src/core/wire/shared/reportedCost';

describe('what a provider says that a request cost', () => {
  const cases: readonly (readonly [who: string, usage: JsonRecord, dollars: number | undefined])[] = [
    ['OpenRouter', { cost: 0.1234 }, 0.1234],
    ['OpenRouter, for nothing', { cost: 0 }, 0],
    [
      'OpenRouter, with a key of one’s own',
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      0.021,
    ],
    ['OpenRouter, whose details repeat it', { cost: 0.02, cost_details: { upstream_inference_cost: 0.02 } }, 0.02],
    ['Vercel, as a text', { cost: '0.0045405' }, 0.0045405],
    ['Perplexity', { cost: { input_tokens_cost: 0.001, request_cost: 0.005, total_cost: 0.006 } }, 0.006],
    ['DeepInfra', { estimated_cost: 1.5e-5 }, 1.5e-5],
    ['xAI', { cost_in_usd_ticks: 37_756_000 }, 0.0037756],
    ['nobody', {}, undefined],
    ['a text that is no amount', { cost: 'free' }, undefined],
    ['an amount below nothing', { cost: -1 }, undefined],
    ['null', { cost: null, estimated_cost: null }, undefined],
  ];
  for (const [who, usage, dollars] of cases)
    it(`is read of ${who}`, () => {
      assert.equal(reportedCost(usage), dollars);
    });
});
