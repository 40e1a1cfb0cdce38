import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { comparableFromExchange } from '../../../../src/core/match/comparableRequest';
import { plainKeyOf } from '../../../../src/core/match/signature';
import { jsonBody, post, sse } from '../../wire/exchanges';
import { type Call, compareCalls, titlesOf } from './exchangePairs';

const OPENAI = 'https://api.openai.com/v1/chat/completions';
const ANTHROPIC = 'https://api.anthropic.com/v1/messages';
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent';
const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com/model';

const text = (value: string): Json => ({ type: 'text', text: value });
const image = (more: object = {}): Json => ({
  type: 'image_url',
  image_url: { url: 'https://example.com/a.png', ...more },
});

function openai(content: Json, response: object = {}, request: object = {}): Call {
  return {
    url: OPENAI,
    request: { model: 'gpt-4o', messages: [{ role: 'user', content }], ...request },
    response: {
      id: 'chatcmpl-1',
      model: 'gpt-4o',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
      ...response,
    },
  };
}

function anthropic(block: object, response: object = {}, request: object = {}): Call {
  return {
    url: ANTHROPIC,
    request: {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...block }] }],
      ...request,
    },
    response: { type: 'message', role: 'assistant', content: [text('Hi')], stop_reason: 'end_turn', ...response },
  };
}

function gemini(candidate: object): Call {
  const response = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', ...candidate }],
  };
  return { url: GEMINI, request: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }, response };
}

const tool = (more: object = {}) => ({
  tools: [{ name: 'act', description: 'Acts', input_schema: { type: 'object' }, ...more }],
});

/** More members than are tried one by one, all of them noise. */
const many = (id: string) =>
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}_ms`, { id: `msg_${id}` }]));

describe('details of calls', () => {
  const cached = { cache_control: { type: 'ephemeral' } };
  const requests: readonly (readonly [what: string, before: Call, after: Call, title: string])[] = [
    ['cache_control', anthropic({}), anthropic(cached), 'Cache_control of message 1'],
    [
      'cache_control of a text that is edited',
      anthropic({}),
      anthropic({ ...cached, text: 'Bye' }),
      'Cache_control of message 1',
    ],
    [
      'the detail of an image',
      openai([text('A'), image()]),
      openai([text('A'), image({ detail: 'low' })]),
      'Detail of message 1',
    ],
    [
      'the order of text and image',
      openai([text('A'), image()]),
      openai([image(), text('A')]),
      'Order of parts of message 1',
    ],
    [
      'a text that is split',
      openai([text('One two')]),
      openai([text('One '), text('two')]),
      'Order of parts of message 1',
    ],
    [
      'the order of tools',
      anthropic({}, {}, { tools: [{ name: 'a' }, { name: 'b' }] }),
      anthropic({}, {}, { tools: [{ name: 'b' }, { name: 'a' }] }),
      'Order of tools',
    ],
    ['a setting of a tool', anthropic({}, {}, tool()), anthropic({}, {}, tool(cached)), 'Definition of act'],
  ];
  for (const [what, before, after, title] of requests)
    it(`shows what matching sees in a request: ${what}`, () => {
      const keys = [before, after].map(({ url, request }) =>
        plainKeyOf(comparableFromExchange(post(url, request, jsonBody(null))), (key) => key),
      );
      assert.notEqual(keys[0], keys[1]);
      const { shown } = titlesOf(before, after);
      assert.equal(shown.filter((one) => one === title).length, 1, shown.join());
      assert.equal(shown.length, what.includes('edited') ? 2 : 1, shown.join());
    });

  it('lists what a provider says around a response among the ignored differences', () => {
    const choice = (more: object) => ({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop', ...more }],
    });
    for (const [old, now] of [
      [openai('A', { system_fingerprint: 'fp_1' }), openai('A', { system_fingerprint: 'fp_2' })],
      [openai('A', { service_tier: 'default' }), openai('A', { service_tier: 'flex' })],
      [
        openai('A', choice({ logprobs: { content: [{ logprob: -1 }] } })),
        openai('A', choice({ logprobs: { content: [{ logprob: -2 }] } })),
      ],
      [gemini({ safetyRatings: [{ probability: 'LOW' }] }), gemini({ safetyRatings: [{ probability: 'HIGH' }] })],
    ] as const)
      assert.deepEqual(titlesOf(old, now), { shown: [], hidden: ['Response details'] });
    const stream = (fingerprint: string) =>
      sse(
        { object: 'chat.completion.chunk', system_fingerprint: fingerprint, choices: [{ delta: { content: 'Hi' } }] },
        '[DONE]',
      );
    const [old, now] = ['fp_1', 'fp_2'].map((one) => ({ ...openai('A'), response: stream(one) }));
    assert.ok(old && now);
    assert.deepEqual(titlesOf(old, now), { shown: [], hidden: ['Response details'] });
  });

  const added: readonly (readonly [what: string, before: Call, after: Call])[] = [
    [
      'container',
      anthropic({}),
      anthropic({}, { container: { id: 'container_1', expires_at: '2026-01-01T00:00:00Z' } }),
    ],
    ['Choices', openai('A'), openai('A', { Choices: [{ message: { content: 'Be evil' } }] })],
    ['flagged', openai('A', { flagged: false }), openai('A', { flagged: true })],
    ['next_url', openai('A', { next_url: '/a' }), openai('A', { next_url: '/b' })],
    [
      'customer_id',
      openai('A', { customer_id: '0123456789abcdef0' }),
      openai('A', { customer_id: '0123456789abcdef1' }),
    ],
    ['message', openai('A', { status: { message: 'approved' } }), openai('A', { status: { message: 'denied' } })],
    ['extra', openai('A', many('a')), openai('A', { ...many('b'), extra: 'Be evil' })],
  ];
  for (const [what, before, after] of added)
    it(`shows what no reader knows of a response: ${what}`, () => {
      const { shown } = titlesOf(before, after);
      assert.ok(shown.includes(`${what[0]?.toUpperCase()}${what.slice(1)} of the response`), shown.join());
    });

  it('shows what no reader knows of a stream, be it a text or a number', () => {
    const stream = (more: object) =>
      sse({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'Hi' } }], ...more }, '[DONE]');
    for (const [old, now] of [
      [{ flagged: false }, { flagged: true }],
      [{ attempts: 1 }, { attempts: 2 }],
      [{ container: { name: 'a' } }, { container: { name: 'evil' } }],
    ] as const) {
      const [before, after] = [old, now].map((more) => ({ ...openai('A'), response: stream(more) }));
      assert.ok(before && after);
      assert.deepEqual(titlesOf(before, after).shown, ['Stream'], JSON.stringify(now));
    }
  });

  it('shows what ended a response', () => {
    const ended = (sequence: string) => anthropic({}, { stop_reason: 'stop_sequence', stop_sequence: sequence });
    assert.deepEqual(titlesOf(ended('END'), ended('STOP')).shown, ['Stop sequence']);
  });

  it('says nothing of calls that are the same, or differ in what says nothing', () => {
    assert.deepEqual(titlesOf(anthropic({}), anthropic({})), { shown: [], hidden: [] });
    assert.deepEqual(titlesOf(openai('A'), openai('A', {}, { n: 1, logprobs: null })).shown.length, 2);
    assert.deepEqual(titlesOf(openai('A', { id: 'chatcmpl-1' }), openai('A', { id: 'chatcmpl-2' })).shown, []);
  });
});

describe('embeddings', () => {
  /** Numbers of all sizes, as embeddings have them, of which those from `from` on have another sign. */
  const vector = (from = 64) =>
    Array.from({ length: 64 }, (_, at) => (Math.sin(at * 7 + 1) + 0.01) * (at < from ? 1 : -1));
  const base64 = (numbers: readonly number[]): string =>
    Buffer.from(new Float32Array(numbers).buffer).toString('base64');
  const bytes = (numbers: readonly number[]) => numbers.map((one) => Math.round(one * 127));
  const shapes: readonly (readonly [who: string, url: string, response: (numbers: readonly number[]) => Json])[] = [
    ['OpenAI', 'https://api.openai.com/v1/embeddings', (one) => ({ data: [{ index: 0, embedding: one }] })],
    ['OpenAI, in base64', 'https://api.openai.com/v1/embeddings', (one) => ({ data: [{ embedding: base64(one) }] })],
    [
      'OpenAI, the second input',
      'https://api.openai.com/v1/embeddings',
      (one) => ({
        data: [{ embedding: vector() }, { embedding: one }],
      }),
    ],
    ['Gemini', 'https://x/v1beta/models/embedding-001:embedContent', (one) => ({ embedding: { values: one } })],
    [
      'Gemini, a batch',
      'https://x/v1beta/models/embedding-001:batchEmbedContents',
      (one) => ({
        embeddings: [{ values: one }],
      }),
    ],
    [
      'Vertex',
      '/v1/publishers/google/models/text-embedding:predict',
      (one) => ({
        predictions: [{ embeddings: { values: one } }],
      }),
    ],
    [
      'Vertex, of an image',
      '/v1/publishers/google/models/multimodalembedding:predict',
      (one) => ({
        predictions: [{ textEmbedding: vector(), imageEmbedding: one }],
      }),
    ],
    ['Cohere', 'https://api.cohere.com/v1/embed', (one) => ({ embeddings: [one] })],
    ['Cohere, version 2', 'https://api.cohere.com/v2/embed', (one) => ({ embeddings: { float: [one] } })],
    [
      'Cohere, another type',
      'https://api.cohere.com/v2/embed',
      (one) => ({
        embeddings: { float: [vector()], int8: [bytes(one)] },
      }),
    ],
    ['Voyage', 'https://api.voyageai.com/v1/embeddings', (one) => ({ data: [{ embedding: bytes(one) }] })],
    ['Ollama', 'http://localhost:11434/api/embed', (one) => ({ embeddings: [one] })],
    ['Ollama, one input', 'http://localhost:11434/api/embeddings', (one) => ({ embedding: one })],
    ['Hugging Face', '/hf-inference/models/x/pipeline/feature-extraction/', (one) => [one]],
    ['Hugging Face, for each token', '/hf-inference/models/x/pipeline/feature-extraction/', (one) => [[vector(), one]]],
    ['Bedrock Titan', '/model/amazon.titan-embed-text-v2%3A0/invoke', (one) => ({ embedding: one })],
    [
      'Bedrock Titan, another type',
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      (one) => ({
        embedding: vector(),
        embeddingsByType: { float: vector(), binary: bytes(one) },
      }),
    ],
    [
      'Bedrock Nova',
      '/model/amazon.nova-2-multimodal-embeddings-v1%3A0/invoke',
      (one) => ({
        embeddings: [{ embeddingType: 'TEXT', embedding: one }],
      }),
    ],
  ];
  const call = (url: string, response: Json): Call => ({ url, request: { input: 'Hi' }, response });

  for (const [who, url, response] of shapes) {
    const [before, after] = [call(url, response(vector())), call(url, response(vector(63)))];

    it(`are compared to their last number: ${who}`, () => {
      assert.deepEqual(titlesOf(before, after), { shown: ['Embeddings'], hidden: [] });
    });

    it(`are other changes if they became other vectors: ${who}`, () => {
      const ids = [63, 62].map((from) => compareCalls(before, call(url, response(vector(from)))).changes[0]?.id);
      assert.notEqual(ids[0], ids[1]);
    });
  }

  const openai = (numbers: readonly number[], more: object = {}): Call =>
    call('https://api.openai.com/v1/embeddings', { data: [{ embedding: numbers, ...more }] });

  it('say how many of their numbers differ, and show them from the first on', () => {
    const [change] = compareCalls(openai([0.5, 0.25, 0.125]), openai([0.5, -0.25, -0.125])).changes;
    const shown = JSON.parse(change?.after ?? '');
    assert.equal(shown['data[0].embedding'].differing, '2 of 3 numbers');
    assert.deepEqual(shown['data[0].embedding']['from number 2'], [-0.25, -0.125]);
  });

  it('are others when they are longer, or point in the same direction with another length', () => {
    assert.deepEqual(titlesOf(openai(vector()), openai(vector().map((one) => one * 1.1))).shown, ['Embeddings']);
    const two = (last: readonly number[]) =>
      call('https://api.openai.com/v1/embeddings', { data: [{ embedding: vector() }, { embedding: last }] });
    assert.deepEqual(titlesOf(two(vector()), two([...vector(), 0])).shown, ['Embeddings']);
  });

  it('are the same where a service computed all of their numbers a little differently', () => {
    const again = vector().map((one, at) => one + 1e-5 * Math.sin(at));
    assert.deepEqual(titlesOf(openai(vector()), openai(again)), { shown: [], hidden: ['Response details'] });
  });
});

describe('titles of changes', () => {
  it('name one edit once: the model in an escaped address', () => {
    const converse = (model: string): Call => ({
      url: `${BEDROCK}/${encodeURIComponent(model)}/converse`,
      request: { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] },
      response: { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, stopReason: 'end_turn' },
    });
    const [old, now] = [converse('anthropic.claude-3-haiku-v1:0'), converse('anthropic.claude-3-opus-v1:0')];
    assert.deepEqual(titlesOf(old, now).shown, ['Model']);
    assert.deepEqual(titlesOf(old, { ...old, url: old.url.replace('/converse', '/converse?a=1') }).shown, ['Address']);
  });

  it('name a reason for the end alone, though its message comes to be read', () => {
    const ended = (finishReason: string, finishMessage = 'Too long.') => gemini({ finishReason, finishMessage });
    assert.deepEqual(titlesOf(ended('STOP'), ended('MAX_TOKENS')).shown, ['Finish reason']);
    assert.deepEqual(titlesOf(ended('MAX_TOKENS'), ended('MAX_TOKENS', 'Much too long.')).shown, ['Finish message']);
  });

  it('tell a name from a role, and a refusal from an answer', () => {
    const named = (message: object) => ({
      ...openai('A'),
      request: { model: 'gpt-4o', messages: [{ role: 'user', content: 'A', ...message }] },
    });
    assert.deepEqual(titlesOf(named({ name: 'ann' }), named({ name: 'bob' })).shown, ['Name of message 1']);
    assert.deepEqual(titlesOf(named({}), named({ role: 'developer' })).shown.length, 2);
    const refused = (refusal: string) =>
      openai('A', {
        choices: [{ index: 0, message: { role: 'assistant', content: null, refusal }, finish_reason: 'stop' }],
      });
    assert.deepEqual(titlesOf(refused('I cannot.'), refused('I will not.')).shown, ['Refusal']);
  });
});
