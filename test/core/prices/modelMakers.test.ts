import assert from 'node:assert/strict';
import { readListPrices } from '../../../src/core/prices/cost';
import { byMaker, isChatModel, makerOf } from '../../../src/core/prices/modelMakers';

const priced = [...readListPrices().keys()];

describe('the models that a trial offers', () => {
  it('answer conversations: neither embeddings nor completions of before are among them', () => {
    const others = [
      ...[
        'ada',
        'davinci',
        'text-ada-001',
        'text-davinci-003',
        'gpt-3.5-turbo-instruct',
        'gpt-3.5-turbo-instruct-0914',
      ],
      ...[
        'text-embedding-3-small',
        'embed-v4.0',
        'mistral-embed',
        'gemini-embedding-001',
        'amazon.titan-embed-text',
        'voyage-3.5',
      ],
      ...['omni-moderation-latest', 'rerank-v3.5', 'llama-guard-3-8b', 'gpt-oss-safeguard-20b', 'ft:gpt-4o'],
    ];
    assert.deepEqual(others.filter(isChatModel), []);
    const chats = [
      ...['gpt-4o', 'o3-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'command-r-plus', 'grok-4', 'amazon.nova-pro'],
      ...[
        'mistral-small-3.2-24b-instruct',
        'open-mixtral-8x7b',
        'moonshotai/kimi-k2-instruct',
        'qwen3:8b',
        'my-own-model',
      ],
    ];
    assert.deepEqual(
      chats.filter((name) => !isChatModel(name)),
      [],
    );
  });

  it('have makers, those with a list price all but a few', () => {
    const makers = [
      'openai/gpt-oss-20b',
      'claude-4-opus',
      'ministral-3b',
      'o1',
      'c4ai-aya-expanse-8b',
      'my-own-model',
    ].map(makerOf);
    assert.deepEqual(makers, ['OpenAI', 'Anthropic', 'Mistral', 'OpenAI', 'Cohere', undefined]);
    assert.deepEqual(
      priced.filter((name) => isChatModel(name) && makerOf(name) === undefined),
      [],
    );
  });

  it('are grouped by maker, those in use first, each with the newest on top', () => {
    const models = ['gpt-4o', 'my-own-model', 'gpt-10', 'claude-opus-5', 'grok-4', 'gpt-5'].map((label) => ({ label }));
    const groups = [...byMaker(models, ['my-own-model', 'grok-2', 'claude-2'])]
      .filter(([, own]) => own.length > 0)
      .map(([maker, own]) => [maker, ...own.map(({ label }) => label)]);
    assert.deepEqual(groups, [
      ['xAI', 'grok-4'],
      ['Anthropic', 'claude-opus-5'],
      ['OpenAI', 'gpt-10', 'gpt-5', 'gpt-4o'],
      [undefined, 'my-own-model'],
    ]);
  });
});
