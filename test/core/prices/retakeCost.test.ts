import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Interaction } from '../../../src/core/model/interaction';
import type { RetakeCost } from '../../../src/core/model/run';
import { formatDatedCost, formatRetakeCost } from '../../../src/core/prices/formatRetakeCost';
import { PRICES_DATE } from '../../../src/core/prices/pricesDate';
import { rateText, retakeCost } from '../../../src/core/prices/retakeCost';
import { repeatedCost, sumCosts } from '../../../src/core/prices/retakeCostSums';

const call = (index: number, model = 'gpt-4o'): Interaction => ({
  index,
  kind: 'llm',
  response: {
    content: 'x',
    toolCalls: [],
    model,
    usage: { promptTokens: 100_000, completionTokens: 10_000, totalTokens: 110_000 },
  },
  source: { start: 0, end: 0 },
});
/** Of one call of gpt-4o. */
const DOLLARS = 0.35;

describe('the cost of recording the end of a tape again', () => {
  it('is that of the calls from there on', () => {
    const tape = [call(0), call(1), { ...call(2), kind: 'tool' as const }, call(3)];
    assert.deepEqual(retakeCost(tape, { from: 1 }), { calls: 2, dollars: 2 * DOLLARS });
    assert.equal(formatRetakeCost(retakeCost(tape, { from: 1 })), '2 live calls, about $0.70');
    assert.equal(formatDatedCost(retakeCost(tape)), `3 live calls, about $1.05 (list prices of ${PRICES_DATE})`);
    assert.equal(formatRetakeCost({ calls: 1, dollars: 0.00031 }), '1 live call, about $0.0003');
  });

  it('says which models have no price, and does not count them as nothing', () => {
    const cost = retakeCost([call(0), call(1, 'mine'), call(2, 'mine'), call(3, 'yours')]);
    assert.deepEqual(cost, { calls: 4, dollars: DOLLARS, unpriced: ['mine', 'yours'] });
    assert.equal(formatRetakeCost(cost), '4 live calls, at least $0.35: no prices for mine, yours are known');
    assert.equal(formatRetakeCost(retakeCost([call(0, 'mine')])), '1 live call; no price for mine is known');
    const own = retakeCost([call(0, 'mine')], { prices: { mine: { input: 1, output: 0 } } });
    assert.equal(formatRetakeCost(own), '1 live call, about $0.10');
    const many = formatRetakeCost({ calls: 5, unpriced: ['a', 'b', 'c', 'd', 'x'.repeat(500)] });
    assert.equal(many, '5 live calls; no prices for a, b, c, 2 other models are known');
  });

  it('says where tokens were not recorded; a recorded error costs nothing', () => {
    const { usage: _, ...silent } = call(1).response ?? { content: null, toolCalls: [] };
    const without = { ...call(1), response: silent };
    assert.equal(
      formatRetakeCost(retakeCost([call(0), without])),
      '2 live calls, at least $0.35: the tokens of 1 of them were not recorded',
    );
    assert.equal(formatRetakeCost({ calls: 1, uncounted: 1 }), '1 live call; its tokens were not recorded');
    assert.equal(formatRetakeCost({ calls: 3, uncounted: 3 }), '3 live calls; their tokens were not recorded');
    const failed = { ...call(2), response: { ...silent, error: 'rate limit' } };
    assert.deepEqual(retakeCost([call(0), failed]), { calls: 2, dollars: DOLLARS });
  });

  it('is that of the model which the recording calls, not of the one on the tape', () => {
    const tape = [call(0), { ...call(1, 'text-embedding-3-small'), kind: 'embedding' as const }];
    const provider = { kind: 'open_ai_compatible', model: 'gpt-4o-mini' } as const;
    const { dollars = 0, ...counted } = retakeCost(tape, { provider });
    assert.deepEqual(counted, { calls: 2 });
    assert.ok(Math.abs(dollars - (0.015 + 0.006 + 0.002)) < 1e-9, 'embeddings stay as they are');
    assert.deepEqual(retakeCost(tape, { provider: { ...provider, model: 'mine' } }).unpriced, ['mine']);
    assert.equal(formatRetakeCost(retakeCost(tape, { provider: { kind: 'practice' } })), '2 live calls, free');
    assert.equal(formatRetakeCost(retakeCost(tape, { provider: { kind: 'vscode_lm' } })), '2 live calls');
  });

  it('of a first recording is told as the price of the model', () => {
    assert.equal(
      rateText({ kind: 'open_ai_compatible' }),
      'gpt-4o-mini costs $0.15 for a million tokens in, and $0.60 out',
    );
    assert.equal(rateText({ kind: 'open_ai_compatible', model: 'mine' }), 'no price for mine is known');
    assert.equal(rateText({ kind: 'practice' }), undefined);
  });

  it('adds up, whatever is unknown of its parts', () => {
    const part = fc.record(
      {
        calls: fc.nat(9),
        dollars: fc.nat(100),
        unpriced: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
        uncounted: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['calls'] },
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(part), fc.integer({ min: 1, max: 9 }), (some, others, times) => {
        assert.deepEqual(sorted(sumCosts([sumCosts(some), sumCosts(others)])), sorted(sumCosts([...some, ...others])));
        const repeated = Array.from({ length: times }, () => some).flat();
        assert.deepEqual(sorted(repeatedCost(sumCosts(some), times)), sorted(sumCosts(repeated)));
      }),
    );
  });
});

function sorted(cost: RetakeCost): RetakeCost {
  return cost.unpriced ? { ...cost, unpriced: [...cost.unpriced].sort() } : cost;
}
