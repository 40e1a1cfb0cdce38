import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import { readExchange } from '../../../src/core/wire/readExchange';
import { base64Body, eventStream, jsonBody, ndjson, post, sse, textBody } from './exchanges';

const read = (url: string, request: Json, response: Json) => readExchange(post(url, request, jsonBody(response)));

describe('Ollama', () => {
  const CHAT = 'http://localhost:11434/api/chat';

  it('reads a conversation whose calls have no ids', () => {
    const { api, request, response, timing } = read(
      CHAT,
      {
        model: 'qwen3',
        messages: [
          { role: 'user', content: 'Look', images: ['AAAA'] },
          {
            role: 'assistant',
            content: '',
            thinking: 'Hm',
            tool_calls: [{ function: { name: 'look', arguments: { at: 'sky' } } }],
          },
          { role: 'tool', tool_name: 'look', content: 'Clouds' },
        ],
        options: { temperature: 0 },
        think: true,
        stream: false,
      },
      {
        model: 'qwen3',
        message: {
          role: 'assistant',
          content: 'It is cloudy.',
          tool_calls: [{ function: { name: 'look', arguments: {} } }],
        },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: 10,
        eval_count: 5,
        total_duration: 2_500_000_000,
      },
    );
    assert.equal(api, 'ollama');
    assert.deepEqual(request, {
      model: 'qwen3',
      messages: [
        {
          role: 'user',
          content: 'Look',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', mime: 'image/*', base64: 'AAAA' },
          ],
          toolCalls: [],
        },
        {
          role: 'assistant',
          content: '',
          parts: [{ type: 'reasoning', text: 'Hm' }],
          toolCalls: [{ id: 'look_1', name: 'look', arguments: { at: 'sky' } }],
        },
        { role: 'tool', content: 'Clouds', toolCalls: [], toolCallId: 'look_1', name: 'look' },
      ],
      tools: [],
      params: { think: true, stream: false, temperature: 0 },
    });
    assert.deepEqual(response, {
      content: 'It is cloudy.',
      toolCalls: [{ id: 'look_2', name: 'look', arguments: {} }],
      model: 'qwen3',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
      finishReason: 'stop',
    });
    assert.deepEqual(timing, { durationMs: 2500 });
  });

  it('joins a stream', () => {
    const piece = (message: Json) => ({ model: 'qwen3', message, done: false });
    const body = textBody(
      ndjson(
        piece({ role: 'assistant', content: '', thinking: 'Hm' }),
        piece({ role: 'assistant', content: 'Hel' }),
        piece({ role: 'assistant', content: 'lo', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] }),
        {
          model: 'qwen3',
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 1,
          eval_count: 2,
        },
      ),
    );
    const { response } = readExchange(post(CHAT, { model: 'qwen3', messages: [] }, body));
    assert.equal(response?.content, 'Hello');
    assert.deepEqual(response?.parts, [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Hello' },
    ]);
    assert.deepEqual(response?.toolCalls, [{ id: 'f_1', name: 'f', arguments: { a: 1 } }]);
    assert.equal(response?.usage?.totalTokens, 3);
    assert.equal(response?.chunks?.length, 4);
  });

  it('reads a prompt and its continuation', () => {
    const url = CHAT.replace('chat', 'generate');
    const { request, response } = read(
      url,
      { model: 'm', system: 'Be brief.', prompt: 'Hi' },
      { response: 'Hello', done: true },
    );
    assert.deepEqual(
      request?.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    );
    assert.equal(response?.content, 'Hello');
  });

  it('tells of an error', () => {
    const { response } = readExchange(
      post(CHAT, { model: 'm', messages: [] }, jsonBody({ error: 'no such model' }), { status: 404 }),
    );
    assert.equal(response?.error, 'HTTP 404: no such model');
  });
});

describe('Cohere', () => {
  const V2 = 'https://api.cohere.com/v2/chat';

  it('reads version 2', () => {
    const { api, request, response } = read(
      V2,
      {
        model: 'command-a',
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            tool_plan: 'I will look.',
            tool_calls: [{ id: 'w', type: 'function', function: { name: 'weather', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'w', content: [{ type: 'document', document: { data: { sky: 'grey' } } }] },
        ],
        tools: [{ type: 'function', function: { name: 'weather', parameters: {} } }],
      },
      {
        id: 'x',
        finish_reason: 'COMPLETE',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm' },
            { type: 'text', text: 'Grey' },
          ],
          citations: [{ start: 0 }],
        },
        usage: { billed_units: { input_tokens: 1, output_tokens: 1 }, tokens: { input_tokens: 100, output_tokens: 2 } },
      },
    );
    assert.equal(api, 'cohere');
    assert.deepEqual(request?.messages.slice(1), [
      {
        role: 'assistant',
        content: null,
        parts: [{ type: 'reasoning', text: 'I will look.' }],
        toolCalls: [{ id: 'w', name: 'weather', arguments: {}, argumentsText: '{}' }],
      },
      { role: 'tool', content: '{"sky":"grey"}', toolCalls: [], toolCallId: 'w' },
    ]);
    assert.deepEqual(response, {
      content: 'Grey',
      parts: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Grey' },
        { type: 'unknown', raw: { citations: [{ start: 0 }] } },
      ],
      toolCalls: [],
      usage: { promptTokens: 100, completionTokens: 2, totalTokens: 102 },
      finishReason: 'COMPLETE',
    });
  });

  it('joins a stream of version 2', () => {
    const call = (fields: Json) => ({ delta: { message: { tool_calls: fields } } });
    const body = textBody(
      sse(
        { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will ' } } },
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'look.' } } },
        {
          type: 'tool-call-start',
          index: 0,
          ...call({ id: 'w', type: 'function', function: { name: 'weather', arguments: '' } }),
        },
        { type: 'tool-call-delta', index: 0, ...call({ function: { arguments: '{"a":1}' } }) },
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hel' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'lo' } } } },
        {
          type: 'message-end',
          delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 3, output_tokens: 4 } } },
        },
      ),
    );
    const { response } = readExchange(post(V2, { messages: [] }, body));
    const { chunks: _, ...rest } = response ?? {};
    assert.deepEqual(rest, {
      content: 'Hello',
      parts: [
        { type: 'reasoning', text: 'I will look.' },
        { type: 'text', text: 'Hello' },
      ],
      toolCalls: [{ id: 'w', name: 'weather', arguments: { a: 1 }, argumentsText: '{"a":1}' }],
      usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
      finishReason: 'TOOL_CALL',
    });
  });

  it('reads version 1, whole and streamed', () => {
    const request = {
      message: 'And now?',
      preamble: 'Be brief.',
      chat_history: [
        { role: 'USER', message: 'Hi' },
        { role: 'CHATBOT', message: 'Hello' },
      ],
      tools: [{ name: 'f', description: 'd', parameter_definitions: { a: { type: 'str' } } }],
    };
    const whole = {
      text: 'Later',
      generation_id: 'g',
      finish_reason: 'COMPLETE',
      tool_calls: [{ name: 'f', parameters: { a: 1 } }],
      meta: { tokens: { input_tokens: 1, output_tokens: 2 } },
    };
    const stream = ndjson(
      { event_type: 'stream-start', generation_id: 'g' },
      { event_type: 'text-generation', text: 'Lat' },
      { event_type: 'text-generation', text: 'er' },
      { event_type: 'stream-end', finish_reason: 'COMPLETE', response: whole },
    );
    for (const body of [jsonBody(whole), textBody(stream)]) {
      const reading = readExchange(post('https://api.cohere.com/v1/chat', request, body));
      assert.equal(reading.api, 'cohere');
      assert.deepEqual(
        reading.request?.messages.map(({ role, content }) => [role, content]),
        [
          ['system', 'Be brief.'],
          ['user', 'Hi'],
          ['assistant', 'Hello'],
          ['user', 'And now?'],
        ],
      );
      assert.deepEqual(reading.request?.tools, [{ name: 'f', description: 'd', schema: { a: { type: 'str' } } }]);
      assert.equal(reading.response?.content, 'Later');
      assert.deepEqual(reading.response?.toolCalls, [{ id: 'f_1', name: 'f', arguments: { a: 1 } }]);
      assert.equal(reading.response?.usage?.totalTokens, 3);
    }
  });
});

describe('Text generation', () => {
  const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com/model';

  /** Of each provider: address, request, and an answer of "Hello" to "Hi". */
  const PROVIDERS: readonly (readonly [string, string, Json, Json])[] = [
    [
      'OpenAI',
      'https://api.openai.com/v1/completions',
      { prompt: 'Hi' },
      { object: 'text_completion', choices: [{ text: 'Hello', finish_reason: 'stop' }] },
    ],
    [
      'Anthropic',
      'https://api.anthropic.com/v1/complete',
      { prompt: 'Hi' },
      { completion: 'Hello', stop_reason: 'stop' },
    ],
    [
      'Cohere',
      'https://api.cohere.ai/v1/generate',
      { prompt: 'Hi' },
      { generations: [{ text: 'Hello', finish_reason: 'stop' }] },
    ],
    [
      'Hugging Face',
      'https://api-inference.huggingface.co/models/gpt2/x',
      { inputs: 'Hi' },
      [{ generated_text: 'Hello' }],
    ],
    [
      'Replicate',
      'https://api.replicate.com/v1/models/meta/llama/predictions',
      { input: { prompt: 'Hi' } },
      { status: 'succeeded', output: ['Hel', 'lo'] },
    ],
    [
      'watsonx',
      'https://us-south.ml.cloud.ibm.com/ml/v1/text/generation?version=1',
      { input: 'Hi', model_id: 'granite' },
      { results: [{ generated_text: 'Hello', stop_reason: 'stop' }] },
    ],
    [
      'Cloudflare',
      'https://api.cloudflare.com/client/v4/accounts/a/ai/run/@cf/meta/llama',
      { prompt: 'Hi' },
      { result: { response: 'Hello' }, success: true },
    ],
    [
      'llama.cpp',
      'http://localhost:8080/completion',
      { prompt: 'Hi' },
      { content: 'Hello', stop: true, tokens_predicted: 1 },
    ],
    [
      'PaLM',
      'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/text-bison:predict',
      { instances: [{ prompt: 'Hi' }] },
      { predictions: [{ content: 'Hello', safetyAttributes: {} }] },
    ],
    [
      'Titan',
      `${BEDROCK}/amazon.titan-text/invoke`,
      { inputText: 'Hi' },
      { inputTextTokenCount: 1, results: [{ outputText: 'Hello', completionReason: 'stop' }] },
    ],
    ['Llama', `${BEDROCK}/meta.llama3/invoke`, { prompt: 'Hi' }, { generation: 'Hello', stop_reason: 'stop' }],
    [
      'Mistral on Bedrock',
      `${BEDROCK}/mistral.mistral-7b/invoke`,
      { prompt: 'Hi' },
      { outputs: [{ text: 'Hello', stop_reason: 'stop' }] },
    ],
    [
      'AI21',
      `${BEDROCK}/ai21.j2-ultra/invoke`,
      { prompt: 'Hi' },
      { completions: [{ data: { text: 'Hello' }, finishReason: { reason: 'stop' } }] },
    ],
  ];

  for (const [name, url, request, response] of PROVIDERS) {
    it(`reads ${name}`, () => {
      const reading = read(url, request, response);
      assert.equal(reading.api, 'text-generation');
      assert.deepEqual(reading.request?.messages, [{ role: 'user', content: 'Hi', toolCalls: [] }]);
      assert.equal(reading.response?.content, 'Hello');
    });
  }

  it('keeps the parameters, wherever they stand', () => {
    const titan = read(
      `${BEDROCK}/amazon.titan-text/invoke`,
      { inputText: 'Hi', textGenerationConfig: { temperature: 0 } },
      { results: [{ outputText: 'x' }] },
    );
    assert.deepEqual(titan.request?.params, { temperature: 0 });
    const replicate = read(
      'https://api.replicate.com/v1/predictions',
      { version: 'v', input: { prompt: 'Hi', top_k: 1 } },
      { status: 'starting', input: {} },
    );
    assert.deepEqual(replicate.request?.params, { version: 'v', top_k: 1 });
    assert.equal(replicate.response?.finishReason, 'starting');
  });

  it('joins streams', () => {
    const openai = textBody(
      sse(
        { choices: [{ text: 'Hel' }] },
        {
          choices: [{ text: 'lo', finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
        },
        '[DONE]',
      ),
    );
    const anthropic = textBody(
      sse(
        ['completion', { completion: 'Hel' }],
        ['ping', {}],
        ['completion', { completion: 'lo', stop_reason: 'stop' }],
      ),
    );
    for (const [url, body] of [
      ['/v1/completions', openai],
      ['/v1/complete', anthropic],
    ] as const) {
      const { response } = readExchange(post(url, { prompt: 'Hi' }, body));
      assert.deepEqual([response?.content, response?.finishReason], ['Hello', 'stop']);
    }
    const wrap = (json: Json) => ['chunk', { bytes: Buffer.from(JSON.stringify(json)).toString('base64') }] as const;
    const llama = base64Body(
      eventStream(
        wrap({ generation: 'Hel' }),
        wrap({ generation: 'lo', stop_reason: 'length', generation_token_count: 2, prompt_token_count: 1 }),
      ),
    );
    const { response } = readExchange(post('/model/meta.llama3/invoke-with-response-stream', { prompt: 'Hi' }, llama));
    assert.deepEqual([response?.content, response?.finishReason, response?.usage?.totalTokens], ['Hello', 'length', 3]);
  });

  it('reads the stream of Replicate, which is fetched apart and has no JSON in it', () => {
    const body = textBody('event: output\ndata: Hel\n\nevent: output\ndata: lo\ndata: \n\nevent: done\ndata: {}\n\n');
    const { kind, response } = readExchange(
      post('https://streaming-api.svc.replicate.net/v1/streams/abc', undefined, body, { method: 'GET' }),
    );
    assert.deepEqual([kind, response?.content], ['llm', 'Hello\n']);
  });

  it('reads an answer of Replicate that is fetched when it is there', () => {
    const poll = (answer: Json) =>
      readExchange(
        post('https://api.replicate.com/v1/predictions/abc', undefined, jsonBody(answer), { method: 'GET' }),
      );
    const { kind, response } = poll({ status: 'succeeded', input: { prompt: 'Hi' }, output: ['Hel', 'lo'] });
    assert.deepEqual([kind, response?.content, response?.finishReason], ['llm', 'Hello', 'succeeded']);
    assert.equal(poll({ status: 'processing', output: null }).kind, 'http');
    assert.equal(poll({ status: 'succeeded', output: ['https://replicate.delivery/cat.png'] }).kind, 'http');
  });

  it('reads messages where a provider takes them in place of a prompt', () => {
    const { api, request, response } = read(
      'https://api.cloudflare.com/client/v4/accounts/a/ai/run/@cf/meta/llama',
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      { result: { response: 'Hello' } },
    );
    assert.deepEqual(
      [api, request?.messages.length, request?.model, response?.content],
      ['text-generation', 2, '@cf/meta/llama', 'Hello'],
    );
  });

  it('reads what Mistral fills in', () => {
    const { response } = read(
      '/v1/fim/completions',
      { prompt: 'a', suffix: 'c' },
      { choices: [{ message: { content: 'b' }, finish_reason: 'stop' }] },
    );
    assert.deepEqual([response?.content, response?.finishReason], ['b', 'stop']);
  });

  it('reads tokens as a prompt without its text', () => {
    const { request } = read('/v1/completions', { prompt: [1, 2, 3] }, { choices: [{ text: 'x' }] });
    assert.deepEqual(request?.messages[0]?.parts, [{ type: 'unknown', raw: [1, 2, 3] }]);
  });
});

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
    it(`summarises those of ${name}`, () => {
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
      assert.equal(reading.summary, '2 vectors of 3 numbers');
    });
  }

  it('summarises one vector, and a list of tokens', () => {
    const titan = read(
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      { inputText: 'a', dimensions: 3 },
      { embedding: V, inputTextTokenCount: 4 },
    );
    assert.equal(titan.summary, '1 vector of 3 numbers');
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

  it('tells of an error', () => {
    const { kind, response } = readExchange(
      post(OPENAI, { input: 'a' }, jsonBody({ error: { message: 'no' } }), { status: 400 }),
    );
    assert.deepEqual([kind, response?.error], ['embedding', 'HTTP 400: no']);
  });
});
