import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post } from '../exchanges';

const read = (url: string, request: Json, response: Json) => readExchange(post(url, request, jsonBody(response)));

describe('Embeddings', () => {
  const OPENAI = 'https://api.openai.com/v1/embeddings';
  const V = [0.1, 0.2, 0.3];

  const ANSWERS: readonly (readonly [string, string, Json, Json])[] = [
    [
      'OpenAI',
      OPENAI,
      { input: ['a', 'b'] },
      { data: [{ embedding: V }, { embedding: V }], usage: { prompt_tokens: 2, total_tokens: 2 } },
    ],
    [
      'OpenAI, in base64',
      OPENAI,
      { input: ['a', 'b'] },
      { data: [{ embedding: 'AAAAAAAAAAAAAAAA' }, { embedding: 'AAAAAAAAAAAAAAAA' }] },
    ],
    [
      'Gemini',
      'https://x/v1beta/models/embedding-001:batchEmbedContents',
      { requests: [{ content: { parts: [{ text: 'a' }] } }, { content: { parts: [{ text: 'b' }] } }] },
      { embeddings: [{ values: V }, { values: V }] },
    ],
    [
      'Cohere',
      'https://api.cohere.com/v1/embed',
      { texts: ['a', 'b'] },
      { embeddings: [V, V], meta: { billed_units: { input_tokens: 2 } } },
    ],
    ['Cohere, version 2', 'https://api.cohere.com/v2/embed', { texts: ['a', 'b'] }, { embeddings: { float: [V, V] } }],
    ['Ollama', 'http://localhost:11434/api/embed', { input: ['a', 'b'] }, { embeddings: [V, V] }],
    [
      'Vertex',
      '/v1/publishers/google/models/text-embedding:predict',
      { instances: [{ content: 'a' }, { content: 'b' }] },
      { predictions: [{ embeddings: { values: V } }, { embeddings: { values: V } }] },
    ],
    ['Hugging Face', '/hf-inference/models/x/pipeline/feature-extraction/', { inputs: ['a', 'b'] }, [V, V]],
  ];

  for (const [name, url, request, response] of ANSWERS) {
    it(`summarises the vectors of ${name}`, () => {
      const reading = read(url, request, response);
      assert.deepEqual([reading.kind, reading.api], ['embedding', 'embeddings']);
      assert.deepEqual(
        reading.request?.messages.map(({ role, content }) => [role, content]),
        [
          ['user', 'a'],
          ['user', 'b'],
        ],
      );
      assert.deepEqual(reading.response?.parts, [{ type: 'embeddings', count: 2, dimensions: 3 }]);
      assert.equal(reading.response?.content, null);
      assert.equal(reading.summary, '2 vectors with 3 dimensions');
    });
  }

  it('summarises one vector, and a list of tokens', () => {
    const titan = read(
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      { inputText: 'a', dimensions: 3 },
      { embedding: V, inputTextTokenCount: 4 },
    );
    assert.equal(titan.summary, '1 vector with 3 dimensions');
    assert.deepEqual(titan.request?.params, { dimensions: 3 });
    assert.equal(titan.request?.model, 'amazon.titan-embed-text-v2:0');
    assert.deepEqual(titan.response?.usage, { promptTokens: 4, completionTokens: 0, totalTokens: 4 });
    const tokens = read(OPENAI, { input: [[1, 2], [3]] }, { data: [] });
    assert.deepEqual(
      tokens.request?.messages.map(({ parts }) => parts?.[0]),
      [
        { type: 'unknown', raw: { tokens: 2 } },
        { type: 'unknown', raw: { tokens: 1 } },
      ],
    );
  });

  it('reports an error', () => {
    const { kind, response } = readExchange(
      post(OPENAI, { input: 'a' }, jsonBody({ error: { message: 'no' } }), { status: 400 }),
    );
    assert.deepEqual([kind, response?.error], ['embedding', 'HTTP 400: no']);
  });
});
