import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/core/model/interaction';
import { retakeCost } from '../../../src/core/prices/cost';
import { formatRetakeCost } from '../../../src/core/prices/formatRetakeCost';

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

describe('the cost of recording the end of a tape again', () => {
  it('is that of the calls from there on', () => {
    const tape = [call(0), call(1), { ...call(2), kind: 'tool' as const }, call(3)];
    const { calls, dollars = 0 } = retakeCost(tape, 1);
    assert.equal(calls, 2);
    assert.ok(Math.abs(dollars - 2 * (retakeCost(tape.slice(0, 1), 0).dollars ?? 0)) < 1e-9 && dollars > 0);
    assert.match(formatRetakeCost({ calls, dollars }), /^2 live calls, about \$\d+\.\d\d$/);
  });

  it('is a number of calls only where a price is not known', () => {
    assert.equal(formatRetakeCost(retakeCost([call(0), call(1, 'a model of my own')], 0)), '2 live calls');
    assert.equal(formatRetakeCost({ calls: 1, dollars: 0.00031 }), '1 live call, about $0.0003');
  });
});
