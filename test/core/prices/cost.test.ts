import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Usage } from '../../../src/core/model/usage';
import { costOf, costOfCall, readPriceTable } from '../../../src/core/prices/cost';
import { HOST_PRICES, LIST_PRICES } from '../../../src/core/prices/listPrices';
import { readConfig } from '../../../src/core/project/readConfig';

const usage = (promptTokens: number, completionTokens: number, more: Partial<Usage> = {}): Usage => ({
  ...{ promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
  ...more,
});
const MILLION = 1_000_000;

describe('what tokens cost', () => {
  it('is the price of the model, under its own name, its place and its date', () => {
    for (const model of ['gpt-4o', 'gpt-4o-2024-08-06', 'openai/gpt-4o', 'GPT-4o'])
      assert.equal(costOf(usage(MILLION, MILLION), model), 12.5, model);
    for (const model of [
      'claude-sonnet-4-5-20250929',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5@20250929',
    ])
      assert.equal(costOf(usage(MILLION / 10, 0), model), 0.3, model);
    assert.equal(costOf(usage(MILLION, 0), 'models/gemini-2.5-flash'), 0.3);
  });

  it('is not guessed', () => {
    for (const model of ['gpt-4o-audio-preview', 'gpt-9', 'my-gpt-4o', 'constructor', '', undefined])
      assert.equal(costOf(usage(1000, 1000), model), undefined, model);
  });

  it('counts cached tokens once, as a part of the prompt', () => {
    const openai = usage(MILLION, 0, { cachedTokens: MILLION / 2 });
    assert.equal(costOf(openai, 'gpt-4o'), 0.5 * 2.5 + 0.5 * 1.25);
    const tenth = MILLION / 10;
    const anthropic = usage(2 * tenth, 0, { cachedTokens: tenth, cacheWriteTokens: tenth });
    assert.equal(costOf(anthropic, 'claude-sonnet-4-5'), 0.03 + 0.375);
    assert.equal(costOf({ ...anthropic, cacheWrite1hTokens: tenth }, 'claude-sonnet-4-5'), 0.03 + 0.6);
  });

  it('has other prices for the whole of a request with a long context, the cached part included', () => {
    const within = usage(200_000, 1000, { cachedTokens: 100_000 });
    assert.equal(costOf(within, 'claude-sonnet-4-5'), 0.3 + 0.03 + 0.015);
    assert.equal(costOf({ ...within, promptTokens: 200_001 }, 'claude-sonnet-4-5'), 0.682506);
    assert.equal(costOf(usage(MILLION, 0), 'claude-sonnet-4-5', { 'claude-sonnet-4-5': { input: 1, output: 1 } }), 1);
  });

  it('counts thoughts once, as a part of the output', () => {
    assert.equal(costOf(usage(0, 2 * MILLION, { reasoningTokens: MILLION }), 'gemini-2.5-flash'), 5);
    assert.equal(costOf(usage(0, MILLION, { reasoningTokens: MILLION / 2 }), 'gpt-5'), 10);
  });

  it('is what the provider says, whatever the model', () => {
    const response = { model: 'gpt-4o', usage: usage(MILLION, MILLION), reportedCost: 0.1234 };
    assert.equal(costOfCall({ response }), 0.1234);
    assert.equal(costOfCall({ response: { ...response, reportedCost: 0 } }), 0);
    assert.equal(costOfCall({ response: { reportedCost: 0.5 } }), 0.5);
    assert.equal(costOfCall({ request: { model: 'gpt-4o' }, response: { usage: usage(MILLION, 0) } }), 2.5);
    assert.equal(costOfCall({ response: { usage: usage(MILLION, 0) } }, {}, 'gpt-4o'), 2.5);
    assert.equal(costOfCall({ request: { model: 'gpt-4o' } }), undefined);
  });

  it('is the price of the host that served the model', () => {
    const at = (url: string, model: string) => costOf(usage(MILLION, MILLION), model, {}, url);
    assert.equal(at('https://api.cerebras.ai/v1/chat/completions', 'gpt-oss-120b'), 1.1);
    assert.equal(
      at('https://api.fireworks.ai/inference/v1/chat/completions', 'accounts/fireworks/models/deepseek-r1-0528'),
      11,
    );
    assert.equal(at('https://api.groq.com/openai/v1/chat/completions', 'openai/gpt-oss-120b'), 0.75);
    const bedrock = 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/x/converse';
    assert.equal(at(bedrock, 'global.anthropic.claude-sonnet-4-5-20250929-v1:0'), 18);
    assert.equal(at(bedrock, 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'), 19.8);
    const azure = 'https://mine.openai.azure.com/openai/deployments/chat/chat/completions?api-version=1';
    assert.deepEqual([at(azure, 'o4-mini'), at(azure, 'gpt-4o-2024-08-06')], [5.5, 12.5]);
  });

  it('is unknown where the host has prices that are not listed, and that of the maker everywhere else', () => {
    const at = (url: string) => costOf(usage(MILLION, MILLION), 'gpt-4o', {}, url);
    for (const url of ['https://openrouter.ai/api/v1/chat/completions', 'https://ai-gateway.vercel.sh/v1/responses'])
      assert.equal(at(url), undefined, url);
    assert.equal(at('https://api.groq.com/openai/v1/chat/completions'), undefined);
    for (const url of [
      'https://api.openai.com/v1/chat/completions',
      'http://127.0.0.1:4000/v1/chat/completions',
      '/v1',
    ])
      assert.equal(at(url), 12.5, url);
    const own = { 'gpt-4o': { input: 1, output: 1 } };
    assert.equal(costOf(usage(MILLION, 0), 'gpt-4o', own, 'https://openrouter.ai/api/v1/chat/completions'), 1);
  });

  it("follows the project's own prices first", () => {
    const { value } = readConfig(
      '[prices]\n"my-model" = { input = 1, output = 2 }\n"gpt-4o" = { input = 0, output = 0 }',
    );
    assert.equal(costOf(usage(MILLION, MILLION), 'my-model', value?.prices), 3);
    assert.equal(costOf(usage(MILLION, MILLION), 'gpt-4o-2024-08-06', value?.prices), 0);
    assert.equal(costOf(usage(MILLION, 0), 'gpt-4.1', value?.prices), 2);
  });

  it('refuses a price that is none', () => {
    const { problems } = readConfig('[prices]\n"m" = { input = -1, output = "x" }\n"n" = { input = 1 }');
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['`input` must be a non-negative number', '`output` must be a non-negative number', 'missing field `output`'],
    );
  });

  it('has prices in the table that are numbers, and no cache that is dearer than what is not cached', () => {
    const listed = readPriceTable(LIST_PRICES);
    assert.ok(listed.size > 350);
    for (const [model, { input, output, cachedInput = 0, cacheWrite = input }] of listed) {
      assert.ok(
        [input, output, cachedInput, cacheWrite].every((price) => price >= 0 && price < 1000),
        model,
      );
      assert.ok(cachedInput <= input && cacheWrite >= input / 2, model);
    }
  });

  it('has prices of hosts that are numbers', () => {
    for (const table of Object.values<string>(HOST_PRICES)) {
      const prices = readPriceTable(table);
      assert.ok(prices.size > 3);
      for (const [model, { input, output }] of prices) assert.ok(input >= 0 && output >= 0 && model !== '', model);
    }
  });

  it('has the table of the installed package: node test/harness/listPrices.mjs writes it', async () => {
    const { text, dateText } = (await import('../../harness/listPrices.mjs')) as { text: string; dateText: string };
    const written = (name: string): string => readFileSync(join(__dirname, '../../../src/core/prices', name), 'utf8');
    assert.deepEqual([written('listPrices.ts'), written('pricesDate.ts')], [text, dateText]);
  });

  it('knows models of this year, by their dated names and in clouds', () => {
    assert.equal(costOf(usage(MILLION, MILLION), 'gpt-5.4-mini-2026-03-17'), 5.25);
    assert.equal(costOf(usage(MILLION, 0), 'claude-opus-4-6'), 5);
    assert.equal(costOf(usage(MILLION, 0), 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'), 6);
    assert.equal(costOf(usage(MILLION, 0), 'eu.amazon.nova-pro-v1:0'), 0.8);
    assert.equal(costOf(usage(MILLION, 0), 'models/gemini-3.5-flash'), 1.5);
    assert.equal(costOf(usage(MILLION, 0), 'MiniMax-M2'), 0.3);
    assert.equal(costOf(usage(MILLION, 0), 'command-r-plus-08-2024'), 2.5);
    assert.equal(costOf(usage(MILLION, 0), 'deepseek-v4-flash-0731'), 0.44);
  });
});
