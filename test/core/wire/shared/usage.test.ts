import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/core/model/usage';
import { PROTOCOLS, protocolById } from '../../../../src/core/wire/registry';
import { settledUsage } from '../../../../src/core/wire/shared/usage';
import { examplesOf } from '../examples';

describe('usage', () => {
  for (const { id } of PROTOCOLS)
    it(`means the same in every protocol: ${id}`, async () => {
      const { usage: report } = await examplesOf(id);
      const usage = protocolById(id)?.readResponse(report).usage;
      assert.ok(usage);
      const completion = id === 'embeddings' ? 0 : 50;
      const {
        promptTokens,
        completionTokens,
        totalTokens,
        cachedTokens = 0,
        cacheWriteTokens = 0,
        reasoningTokens = 0,
      } = usage;
      assert.deepEqual([promptTokens, completionTokens, totalTokens], [100, completion, 100 + completion]);
      assert.ok(cachedTokens + cacheWriteTokens <= promptTokens && reasoningTokens <= completionTokens);
    });

  it('has what a total shows to have been counted apart', () => {
    const counts: Usage = { promptTokens: 100, completionTokens: 20, totalTokens: 420, reasoningTokens: 300 };
    assert.equal(settledUsage(counts).completionTokens, 320);
    const cached: Usage = { promptTokens: 60, completionTokens: 20, totalTokens: 120, cachedTokens: 40 };
    assert.equal(settledUsage(cached).promptTokens, 100);
  });
});
