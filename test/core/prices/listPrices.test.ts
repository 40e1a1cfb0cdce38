import assert from 'node:assert/strict';
import { calcPrice, findProvider, type MatchLogic } from '@pydantic/genai-prices';
import fc from 'fast-check';
import type { Usage } from '../../../src/core/model/usage';
import { costOf } from '../../../src/core/prices/cost';
import { PRICES_DATE } from '../../../src/core/prices/pricesDate';

describe('the list prices', () => {
  it('cost what the library says that they were made of, at the dearest hour of their day', async () => {
    const { providers } = (await import('../../harness/listPrices.mjs')) as { providers: ReadonlyMap<string, string> };
    const models = [...providers].flatMap(([name, providerId]) => [
      { name, providerId },
      ...datedNames(providerId, name).map((dated) => ({ name: dated, providerId })),
    ]);
    const known = models.filter(
      ({ name, providerId }) => calcPrice({}, idOf(name, providerId), { providerId }) !== null,
    );
    assert.ok(known.length > 450 && models.length - known.length < 12, `${known.length} of ${models.length}`);
    for (const { name, providerId } of known) for (const usage of USAGES) assertSame(usage, name, providerId);
    fc.assert(
      fc.property(fc.constantFrom(...known), usages, ({ name, providerId }, usage) => {
        assertSame(usage, name, providerId);
      }),
      { numRuns: 3000 },
    );
  });

  it('knows the fine-tuned models by what they were made of', () => {
    const usage = { promptTokens: 1000, completionTokens: 100, totalTokens: 1100 };
    for (const name of ['ft:gpt-4o-2024-08-06:an-org::abc123', 'ft:gpt-4o-mini-2024-07-18:an-org:a-name:abc123'])
      assertSame(usage, name, 'openai');
  });
});

/** Around the start of every tier, with nothing, a part, or all of it from the cache. */
const USAGES: readonly Usage[] = [0, 1, 127_999, 128_000, 128_001, 199_999, 200_001, 272_000, 272_001, 512_001].flatMap(
  (promptTokens) =>
    [0, 0.5, 1].map((share) => {
      const cachedTokens = Math.floor(promptTokens * share);
      return { promptTokens, completionTokens: 777, totalTokens: promptTokens + 777, cachedTokens };
    }),
);

const tokens = fc.oneof(fc.nat(4000), fc.nat(2_000_000));
const usages: fc.Arbitrary<Usage> = fc
  .record({ fresh: tokens, cached: tokens, written: tokens, hour: tokens, said: tokens, thought: tokens })
  .map(({ fresh, cached, written, hour, said, thought }) => ({
    promptTokens: fresh + cached + written + hour,
    completionTokens: said + thought,
    totalTokens: fresh + cached + written + hour + said + thought,
    cachedTokens: cached,
    cacheWriteTokens: written + hour,
    cacheWrite1hTokens: hour,
    reasoningTokens: thought,
  }));

/** To the cent of a cent: the same sum in another order differs in its last bits. */
function assertSame(usage: Usage, name: string, providerId: string): void {
  const expected = dearest(usage, name, providerId);
  const cost = costOf(usage, name);
  assert.ok(
    cost !== undefined && Math.abs(cost - expected) < 1e-9 * Math.max(1, expected),
    `${providerId} ${name}: ${cost} is not ${expected}, for ${JSON.stringify(usage)}`,
  );
}

const HOURS = Array.from(
  { length: 24 },
  (_, hour) => new Date(`${PRICES_DATE}T${String(hour).padStart(2, '0')}:45:00Z`),
);

function dearest(usage: Usage, name: string, providerId: string): number {
  const counts = {
    input_tokens: usage.promptTokens,
    output_tokens: usage.completionTokens,
    cache_read_tokens: usage.cachedTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    cache_write_1h_tokens: usage.cacheWrite1hTokens ?? 0,
    output_reasoning_tokens: usage.reasoningTokens ?? 0,
  };
  const atHours = providerId === 'deepseek' ? HOURS : HOURS.slice(0, 1);
  const costs = atHours.map((timestamp) => {
    const calculated = calcPrice(counts, idOf(name, providerId), { providerId, timestamp });
    assert.ok(calculated, `${providerId} does not know ${name}`);
    return calculated.total_price;
  });
  return Math.max(...costs);
}

/** Amazon's lists have versions in the names of models. */
function idOf(name: string, providerId: string): string {
  return providerId === 'aws' ? `${name}-v1:0` : name;
}

/** The names with a date or a suffix that the library has for a model, and the table has not. */
function datedNames(providerId: string, name: string): readonly string[] {
  const models = findProvider({ providerId })?.models ?? [];
  const names = models.flatMap(({ match }) => namesIn(match));
  return names.filter(
    (one) => one.startsWith(`${name}-`) && /^-(?:\d{8}|\d{4}-\d{2}-\d{2})$/.test(one.slice(name.length)),
  );
}

function namesIn(match: MatchLogic): readonly string[] {
  if ('or' in match) return match.or.flatMap(namesIn);
  return 'equals' in match ? [match.equals] : [];
}
