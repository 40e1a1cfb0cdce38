import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import type { Usage } from '../../../../src/core/model/usage';
import { PROTOCOLS, protocolById } from '../../../../src/core/wire/registry';
import { settledUsage } from '../../../../src/core/wire/shared/usage';

/** What each protocol reports for 100 prompt tokens, 40 of them cached, and 50 of completion, 20 of them reasoning. */
const REPORTS: Readonly<Record<string, Json>> = {
  'openai-chat': {
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
  },
  'openai-responses': {
    output: [],
    usage: {
      input_tokens: 100,
      output_tokens: 50,
      total_tokens: 150,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens_details: { reasoning_tokens: 20 },
    },
  },
  'openai-assistants': {
    object: 'thread.run',
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  },
  'anthropic-messages': {
    content: [],
    usage: { input_tokens: 60, cache_read_input_tokens: 30, cache_creation_input_tokens: 10, output_tokens: 50 },
  },
  gemini: {
    candidates: [],
    usageMetadata: {
      promptTokenCount: 90,
      toolUsePromptTokenCount: 10,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 150,
    },
  },
  'gemini-code-assist': {
    response: {
      candidates: [],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 30, thoughtsTokenCount: 20, totalTokenCount: 150 },
    },
  },
  'gemini-interactions': {
    outputs: [],
    usage: {
      total_input_tokens: 90,
      total_tool_use_tokens: 10,
      total_output_tokens: 30,
      total_thought_tokens: 20,
      total_tokens: 150,
    },
  },
  'bedrock-converse': {
    output: {},
    usage: { inputTokens: 60, cacheReadInputTokens: 30, cacheWriteInputTokens: 10, outputTokens: 50, totalTokens: 150 },
  },
  ollama: { message: { content: '' }, prompt_eval_count: 100, eval_count: 50 },
  cohere: { message: { content: [] }, usage: { tokens: { input_tokens: 100, output_tokens: 50 }, cached_tokens: 40 } },
  embeddings: { data: [], usage: { prompt_tokens: 100, total_tokens: 100 } },
  'text-generation': { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } },
};

describe('usage', () => {
  for (const { id } of PROTOCOLS)
    it(`means the same in every protocol: ${id}`, () => {
      const report = REPORTS[id];
      assert.ok(report !== undefined, `${id} needs a report here`);
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
