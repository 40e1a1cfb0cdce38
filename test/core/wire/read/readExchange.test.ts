import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/json/json';
import type { HttpBody, HttpExchange } from '../../../../src/core/model/http';
import {
  type ExchangeReading,
  readExchange,
  readResponseFrames,
  readResponseJson,
} from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, jsonBody, NO_BODY, ndjson, post, sse, textBody, typedSse } from '../exchanges';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const ASKED = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const ANSWERED = { choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] };

function sentences({ problems }: Pick<ExchangeReading, 'problems'>): string {
  return problems.map(({ message }) => message).join();
}

describe('readExchange', () => {
  it('detects a protocol by the bodies if the URL does not show it', () => {
    const known: [string, Json, Json][] = [
      ['openai-chat', ASKED, ANSWERED],
      ['openai-responses', { input: 'x', store: true }, { object: 'response', output: [] }],
      ['anthropic-messages', { ...ASKED, max_tokens: 1, system: 'x' }, { type: 'message', content: [] }],
      ['gemini', { contents: [{ parts: [{ text: 'x' }] }] }, { candidates: [{ content: { parts: [{ text: 'y' }] } }] }],
      [
        'bedrock-converse',
        { messages: [{ role: 'user', content: [{ text: 'x' }] }] },
        { output: { message: { content: [] } } },
      ],
      ['ollama', { ...ASKED, options: {} }, { message: { content: 'x' }, done: true }],
      ['cohere', { message: 'x' }, { text: 'y', generation_id: 'g' }],
    ];
    for (const [api, request, response] of known)
      assert.equal(readExchange(post('https://proxy.example.com/llm', request, jsonBody(response))).api, api);
  });

  it('treats exchanges that only resemble model calls as plain traffic', () => {
    const plain: [string, Json, Json][] = [
      ['/api/search', { query: 'x' }, { results: [{ title: 't', content: 'c' }] }],
      ['/runs/batch', { post: [{ inputs: { messages: [] } }] }, {}],
      ['/chat', { text: 'Hi' }, { text: 'Hello' }],
      ['/items', { prompt: 'x' }, { data: [{ id: 1 }] }],
      ['/v1/moderations', { input: 'x', model: 'm' }, { results: [{ flagged: false, categories: {} }] }],
      [
        '/v1/rerank',
        { query: 'x', documents: ['a'] },
        { results: [{ index: 0, relevance_score: 0.5, document: { text: 'a' } }] },
      ],
      ['/v1/images/generations', { prompt: 'a cat', model: 'dall-e-3' }, { data: [{ b64_json: 'AAAA' }] }],
      ['/v1/messages/count_tokens', ASKED, { input_tokens: 9 }],
      ['/v1/messages/batches', { requests: [] }, { id: 'b' }],
      ['/v1/batches', { endpoint: '/v1/chat/completions' }, { object: 'batch' }],
    ];
    for (const [url, request, response] of plain)
      assert.equal(readExchange(post(url, request, jsonBody(response))).kind, 'http', url);
    assert.equal(readExchange(post(CHAT, undefined, jsonBody(ANSWERED), { method: 'GET' })).kind, 'http');
  });

  it('describes plain traffic in a few words', () => {
    const summary = (url: string, response: HttpBody, others: Parameters<typeof post>[3] = {}, request: Json = {}) =>
      readExchange(post(url, request, response, others)).summary;
    const binary = base64Body(new Uint8Array(2000).fill(255));
    assert.equal(summary('/v1/rerank', jsonBody({ results: [1, 2] })), 'rerank, 2 results');
    assert.equal(
      summary('/v1/moderations', jsonBody({ results: [{ categories: { hate: true, violence: false } }] })),
      'moderation, flagged: hate',
    );
    assert.equal(
      summary('/v1/moderations', jsonBody({ results: [{ categories: { hate: false } }] })),
      'moderation, nothing flagged',
    );
    assert.equal(summary('/v1/images/generations', jsonBody({ data: [{}] })), 'image generation, 1 image');
    assert.equal(
      summary('/v1/audio/speech', binary, { headers: [['Content-Type', 'audio/mpeg']] }),
      'speech, audio/mpeg, 2 kB',
    );
    assert.equal(summary('/v1/audio/transcriptions', jsonBody({ text: 'Hello' })), 'transcription: Hello');
    assert.equal(
      summary(
        '/v1/audio/transcriptions',
        textBody(sse({ type: 'transcript.text.delta', text: 'x' }, { type: 'transcript.text.done', text: 'Hello' })),
      ),
      'transcription: Hello',
    );
    assert.equal(summary('/v1/models', jsonBody({ data: [1, 2, 3] }), { method: 'GET' }), '3 models');
    assert.equal(summary('/v1beta/models/m:countTokens', jsonBody({ totalTokens: 7 })), 'token count, 7');
    assert.equal(summary('https://oauth2.googleapis.com/token', jsonBody({ access_token: 'x' })), 'access token');
    assert.equal(
      summary('/v1/files/f', jsonBody({ object: 'file', deleted: true }), { method: 'DELETE' }),
      'file, deleted',
    );
    assert.equal(
      summary('/mcp', NO_BODY, {}, { jsonrpc: '2.0', method: 'tools/call', params: { name: 'look' } }),
      'tools/call look',
    );
    assert.equal(
      summary('/cat.png', binary, { method: 'GET', headers: [['content-type', 'image/png']] }),
      'image/png, 2 kB',
    );
    assert.equal(summary('/x', textBody('gone'), { status: 404, method: 'GET' }), 'HTTP 404: gone');
    assert.equal(summary('/x', NO_BODY, { status: 204 }), undefined);
  });

  it('reports errors of every shape in the provider’s own words', () => {
    const error = (body: HttpBody, status = 400) => readExchange(post(CHAT, ASKED, body, { status })).response?.error;
    const errors: [Json, string][] = [
      [{ error: { message: 'No', type: 'invalid_request_error', code: 'x' } }, 'HTTP 400 invalid_request_error: No'],
      [{ error: { message: 'No', type: null, code: 'context_length' } }, 'HTTP 400 context_length: No'],
      [{ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }, 'HTTP 400 overloaded_error: Busy'],
      [{ error: { code: 400, message: 'Bad key', status: 'INVALID_ARGUMENT' } }, 'HTTP 400 INVALID_ARGUMENT: Bad key'],
      [{ __type: 'ValidationException', Message: 'No' }, 'HTTP 400 ValidationException: No'],
      [{ object: 'error', message: 'No', type: 'BadRequestError', code: 400 }, 'HTTP 400 BadRequestError: No'],
      [
        { object: 'error', message: { detail: [{ loc: ['body', 'model'], msg: 'missing' }] } },
        'HTTP 400: body.model: missing',
      ],
      [{ detail: 'Not found' }, 'HTTP 400: Not found'],
      [{ error: 'model is required' }, 'HTTP 400: model is required'],
      [{ error: 'invalid_grant', error_description: 'Expired' }, 'HTTP 400: Expired'],
      [{}, 'HTTP 400: {}'],
    ];
    for (const [body, expected] of errors) assert.equal(error(jsonBody(body)), expected);
    assert.equal(
      error(textBody('<html><head><title>502 Bad Gateway</title></head></html>'), 502),
      'HTTP 502: Bad Gateway',
    );
    assert.equal(error(NO_BODY, 500), 'HTTP 500');
    assert.equal(
      error(textBody(sse(['error', { error: { message: 'Busy', type: 'busy' } }])), 503),
      'HTTP 503 busy: Busy',
    );
    assert.ok((error(textBody('x'.repeat(5000))) ?? '').length < 400);
  });

  it('finds the error in a response with a status of success', () => {
    const { response } = readExchange(post(CHAT, ASKED, jsonBody({ error: { message: 'Upstream', code: 502 } })));
    assert.equal(response?.error, 'Upstream');
  });

  it('keeps an unsupported response, and reports it', () => {
    const odd = readExchange(post(CHAT, ASKED, jsonBody({ surprise: true })));
    assert.deepEqual(odd.response?.parts, [{ type: 'unknown', raw: { surprise: true } }]);
    assert.match(sentences(odd), /unsupported form/);
    const page = readExchange(post(CHAT, ASKED, textBody('<html>')));
    assert.deepEqual(page.response?.parts, [{ type: 'unknown', raw: '<html>' }]);
    assert.match(sentences(page), /not JSON/);
  });

  it('reads a truncated response up to its end', () => {
    const text = '{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"},{"mess';
    const { response, problems } = readExchange(post(CHAT, ASKED, textBody(text)));
    assert.equal(response?.content, 'Hello');
    assert.match(sentences({ problems }), /not valid JSON/);
  });

  it('reports a missing request or response', () => {
    assert.match(sentences(readExchange(post(CHAT, ASKED, NO_BODY))), /No response was recorded/);
    const unasked = { ...post(CHAT, undefined, jsonBody(ANSWERED)), requestBody: textBody('not JSON') };
    assert.match(sentences(readExchange(unasked)), /The request is not JSON/);
    const { status: _, ...open } = post(CHAT, ASKED, NO_BODY);
    assert.deepEqual([readExchange(open).response, readExchange(open).problems], [undefined, []]);
  });

  it('reads bodies that are stored parsed', () => {
    const { request, response } = readExchange({
      ...post(CHAT, undefined, { type: 'json', json: ANSWERED }),
      requestBody: { type: 'json', json: ASKED },
    });
    assert.deepEqual([request?.messages[0]?.content, response?.content], ['Hi', 'Hello']);
  });

  it('survives infinitely nested values', () => {
    let deep: Json = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const reading = readExchange(
      post(CHAT, undefined, { type: 'json', json: { choices: [{ message: { content: deep } }] } }),
    );
    assert.ok(reading.kind === 'llm' || reading.problems.length > 0);
  });
});

/** One exchange of each protocol, to be corrupted. */
const SEEDS: readonly HttpExchange[] = [
  post(CHAT, ASKED, jsonBody(ANSWERED)),
  post(
    CHAT,
    ASKED,
    textBody(
      sse(
        {
          choices: [
            {
              index: 0,
              delta: { content: 'a', tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{' } }] },
            },
          ],
        },
        '[DONE]',
      ),
    ),
  ),
  post(
    '/v1/responses',
    {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      ],
    },
    textBody(
      sse(
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
        { type: 'response.output_text.delta', output_index: 0, delta: 'x' },
        { type: 'response.completed', response: { output: [{ type: 'reasoning', summary: [{ text: 'x' }] }] } },
      ),
    ),
  ),
  post(
    '/v1/messages',
    {
      system: [{ type: 'text', text: 'x' }],
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] }],
    },
    textBody(
      typedSse(
        { type: 'message_start', message: { usage: {} } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
      ),
    ),
  ),
  post(
    '/v1/models/m:generateContent',
    { contents: [{ parts: [{ text: 'x' }, { functionResponse: { name: 'f', response: {} } }] }] },
    jsonBody({ candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: {} } }] } }], usageMetadata: {} }),
  ),
  post(
    '/v1beta/interactions',
    { input: [{ type: 'thought', summary: [{ text: 'x' }] }], generation_config: {} },
    textBody(
      sse(
        { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
        { event_type: 'step.delta', index: 0, delta: { text: 'x' } },
      ),
    ),
  ),
  post(
    '/model/m/converse-stream',
    { messages: [{ role: 'user', content: [{ toolResult: { content: [{ json: 1 }] } }] }] },
    base64Body(eventStream(['contentBlockDelta', { delta: { text: 'x' } }], ['messageStop', {}])),
  ),
  post(
    '/api/chat',
    { messages: [{ role: 'tool', content: 'x' }] },
    textBody(ndjson({ message: { content: 'x' }, done: false }, { message: {}, done: true })),
  ),
  post('/v2/chat', ASKED, textBody(sse({ type: 'content-delta', delta: { message: { content: { text: 'x' } } } }))),
  post(
    '/v1/chat',
    { message: 'x', chat_history: [{ role: 'USER', message: 'y' }] },
    jsonBody({ text: 'x', generation_id: 'y', meta: {} }),
  ),
  post('/v1/embeddings', { input: ['a', [1]] }, jsonBody({ data: [{ embedding: [1] }] })),
  post('/v1/completions', { prompt: ['a'] }, jsonBody({ choices: [{ text: 'x' }], usage: {} })),
  post(
    '/v1/threads/t/runs',
    { thread: { messages: [{ role: 'user' }] } },
    textBody(sse(['thread.message.delta', { id: 'x', delta: { content: [{ text: { value: 'x' } }] } }])),
  ),
];

/** Values that code tends to forget. */
const STRANGE = [
  'null',
  '0',
  '""',
  '[]',
  '{}',
  'true',
  '[null]',
  '"x"',
  '1e999',
  '{"type":null}',
  '[[[]]]',
  '99999999999999999999',
];

function damage(text: string, kind: number, at: number, strange: string): string {
  const values = [...text.matchAll(/(?<=[:[,])\s*("(?:[^"\\]|\\.)*"|-?\d[\d.e+]*|true|false|null|\[\]|\{\})/g)];
  const value = values[at % Math.max(1, values.length)];
  if (kind === 0 && value) return text.slice(0, value.index) + strange + text.slice(value.index + value[0].length);
  if (kind === 1) return text.slice(0, at % (text.length + 1));
  const place = at % (text.length + 1);
  return kind === 2
    ? text.slice(0, place) + strange + text.slice(place)
    : text.slice(0, place) + text.slice(place + 1 + (at % 7));
}

function damageBody(body: HttpBody, kind: number, at: number, strange: string): HttpBody {
  if (body.type === 'text') return textBody(damage(body.text, kind, at, strange));
  if (body.type !== 'base64') return body;
  const bytes = Buffer.from(body.base64, 'base64');
  bytes[at % bytes.length] = kind * 50;
  return base64Body(kind === 1 ? bytes.subarray(0, at % bytes.length) : bytes);
}

describe('readExchange, whatever was recorded', () => {
  const damaged = fc
    .tuple(
      fc.constantFrom(...SEEDS),
      fc.array(fc.tuple(fc.boolean(), fc.nat(3), fc.nat(5000), fc.constantFrom(...STRANGE)), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([seed, changes]) => {
      let { requestBody, responseBody } = seed;
      for (const [ofRequest, ...change] of changes) {
        if (ofRequest) requestBody = damageBody(requestBody, ...change);
        else responseBody = damageBody(responseBody, ...change);
      }
      return { ...seed, requestBody, responseBody };
    });

  it('never throws', () => {
    fc.assert(
      fc.property(damaged, (exchange) => {
        const { problems } = readExchange(exchange);
        assert.ok(!problems.some(({ message }) => message.startsWith('The exchange could not be read')));
      }),
      { numRuns: 5000 },
    );
  });

  it('returns plain data: no undefined values, and complete messages', () => {
    fc.assert(
      fc.property(damaged, (exchange) => {
        const { request, response } = readExchange(exchange);
        for (const message of request?.messages ?? []) {
          assert.equal(typeof message.role, 'string');
          assert.ok(message.content === null || typeof message.content === 'string');
        }
        for (const call of [
          ...(request?.messages ?? []).flatMap(({ toolCalls }) => toolCalls),
          ...(response?.toolCalls ?? []),
        ]) {
          assert.deepEqual(
            [typeof call.id, typeof call.name, call.arguments === undefined],
            ['string', 'string', false],
          );
        }
        for (const tool of request?.tools ?? []) assert.equal(typeof tool.name, 'string');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads any JSON at any URL', () => {
    const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.constantFrom(...SEEDS.map(({ url }) => url), '/x'), json, json, (url, request, response) => {
        const exchange = {
          ...post(url, undefined, { type: 'json', json: response }),
          requestBody: { type: 'json', json: request } as const,
        };
        assert.ok(!readExchange(exchange).problems.some(({ message }) => message.startsWith('The exchange could not')));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads streams and messages of tens of thousands of parts', () => {
    const many = Array.from({ length: 40_000 }, (_, index) => ({
      choices: [{ index: 0, delta: { content: `word ${index} ` } }],
    }));
    const calls = Array.from({ length: 40_000 }, (_, index) => ({ functionCall: { name: 'f', args: { index } } }));
    const streamed = readExchange(post(CHAT, ASKED, textBody(sse(...many))));
    const called = readExchange(
      post(
        '/v1/models/m:generateContent',
        { contents: [{ role: 'model', parts: calls }] },
        jsonBody({ candidates: [{ content: { parts: calls } }] }),
      ),
    );
    assert.equal(streamed.response?.chunks?.length, 40_000);
    assert.equal(called.response?.toolCalls.at(-1)?.id, 'f_80000');
  });
});

describe('readResponseJson and readResponseFrames', () => {
  it('detect a protocol by the shape of the response', () => {
    assert.deepEqual(readResponseJson(ANSWERED), {
      kind: 'llm',
      api: 'openai-chat',
      response: { content: 'Hello', toolCalls: [], finishReason: 'stop' },
      problems: [],
    });
    assert.equal(readResponseJson([{ candidates: [{ content: { parts: [{ text: 'x' }] } }] }]).response?.content, 'x');
    assert.equal(readResponseJson({ data: [{ embedding: [1, 2] }] }).summary, '1 vector with 2 dimensions');
    assert.deepEqual(readResponseJson({ object: 'rerank', results: [] }), {
      kind: 'http',
      summary: 'rerank',
      problems: [],
    });
    assert.deepEqual(readResponseJson(null), { kind: 'http', problems: [] });
  });

  it('join the data of events, with or without their names', () => {
    const lines = [
      '{"type":"message_start","message":{}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
    ];
    assert.equal(readResponseFrames(lines).response?.content, 'Hi');
    const frames = [{ event: 'contentBlockDelta', data: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}', delayMs: 5 }];
    const { api, response } = readResponseFrames(frames);
    assert.deepEqual([api, response?.content, response?.chunks], ['bedrock-converse', 'Hi', frames]);
    assert.equal(
      readResponseFrames(['{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Hi"}}}']).response?.content,
      'Hi',
    );
    assert.deepEqual(readResponseFrames([]), { kind: 'http', problems: [] });
  });
});
