import * as assert from 'node:assert/strict';
import { previousTotalsUpdate } from '../../../src/contracts/transcript/transcriptEvents';
import { accepts } from '../../../src/core/schema/accepts';
import { countDelta, formatUsage, shareDelta, shareText } from '../../../webview-ui/base/numbers';

describe('how much more or less a number is', () => {
  it('is a count for counts, and a percentage for times and costs', () => {
    assert.equal(countDelta(1204, 4), '+1,200');
    assert.equal(countDelta(4, 7), '\u22123');
    assert.equal(shareDelta(140, 100), '+40%');
    assert.equal(shareDelta(0.0097, 0.01), '\u22123%');
  });

  it('is undefined where nothing changed or a side is unknown', () => {
    for (const by of [countDelta(4, 4), countDelta(undefined, 4), countDelta(4, undefined)])
      assert.equal(by, undefined);
    for (const by of [shareDelta(1000, 1001), shareDelta(7, 0), shareDelta(undefined, 1), shareDelta(1, undefined)])
      assert.equal(by, undefined);
  });
});

describe('the previous totals of a tape, as the page receives them', () => {
  it('is checked for its shape', () => {
    const earlier = { totals: { cost: 1 }, interactions: [null, { latency: 3 }] };
    assert.ok(accepts(previousTotalsUpdate, { version: 3, earlier }));
    assert.ok(accepts(previousTotalsUpdate, { version: 3, earlier: null }));
    for (const odd of [
      null,
      {},
      { version: 3 },
      { version: 'x', earlier: null },
      { version: 1, earlier: { totals: 1 } },
    ])
      assert.ok(!accepts(previousTotalsUpdate, odd), JSON.stringify(odd));
  });

  it('tell the share of a prompt that was cached, never as all or nothing where it is not', () => {
    const usage = { promptTokens: 2000, completionTokens: 5, totalTokens: 2005 };
    assert.equal(formatUsage(usage), '2,000 in, 5 out');
    assert.equal(formatUsage({ ...usage, cachedTokens: 1840 }), '2,000 in (92% cached), 5 out');
    assert.equal(formatUsage({ ...usage, cachedTokens: 0 }), '2,000 in (0% cached), 5 out');
    assert.equal(formatUsage({ ...usage, promptTokens: 20, cachedTokens: 0 }), '20 in, 5 out');
    assert.deepEqual([shareText(1999, 2000), shareText(1, 2000), shareText(2000, 2000)], ['99%', '0%', '100%']);
  });
});
