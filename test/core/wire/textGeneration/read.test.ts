import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { editResponseText } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, jsonBody, post, sse, textBody } from '../exchanges';

const read = (url: string, request: Json, response: Json) => readExchange(post(url, request, jsonBody(response)));

describe('Text generation', () => {
  const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com/model';

  /** The URL, request and response of each provider, for the prompt "Hi" and the text "Hello". */
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

  it('keeps the parameters, wherever they are', () => {
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

  it('reads the stream of Replicate, which is fetched separately and has no JSON', () => {
    const body = textBody('event: output\ndata: Hel\n\nevent: output\ndata: lo\ndata: \n\nevent: done\ndata: {}\n\n');
    const { kind, response } = readExchange(
      post('https://streaming-api.svc.replicate.net/v1/streams/abc', undefined, body, { method: 'GET' }),
    );
    assert.deepEqual([kind, response?.content], ['llm', 'Hello\n']);
  });

  it('reads a response of Replicate that is polled for', () => {
    const poll = (response: Json) =>
      readExchange(
        post('https://api.replicate.com/v1/predictions/abc', undefined, jsonBody(response), { method: 'GET' }),
      );
    const { kind, response } = poll({ status: 'succeeded', input: { prompt: 'Hi' }, output: ['Hel', 'lo'] });
    assert.deepEqual([kind, response?.content, response?.finishReason], ['llm', 'Hello', 'succeeded']);
    assert.equal(poll({ status: 'processing', output: null }).kind, 'http');
    assert.equal(poll({ status: 'succeeded', output: ['https://replicate.delivery/cat.png'] }).kind, 'http');
  });

  it('reads messages in place of a prompt', () => {
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

  it('reads fill-in-the-middle of Mistral', () => {
    const { response } = read(
      '/v1/fim/completions',
      { prompt: 'a', suffix: 'c' },
      { choices: [{ message: { content: 'b' }, finish_reason: 'stop' }] },
    );
    assert.deepEqual([response?.content, response?.finishReason], ['b', 'stop']);
  });

  it('reads and edits streamed fill-in-the-middle of Mistral', () => {
    const stream = (...texts: readonly string[]) =>
      textBody(sse(...texts.map((content) => ({ choices: [{ index: 0, delta: { content } }] })), '[DONE]'));
    const exchange = post('/v1/fim/completions', { prompt: 'a' }, stream('b', 'c'));
    assert.equal(readExchange(exchange).response?.content, 'bc');
    const edit = editResponseText(exchange, 'bd');
    assert.deepEqual('body' in edit && edit.body, stream('b', 'd'));
  });

  it('reads and edits streams whose pieces say whether they are the last', () => {
    const lines = (...events: readonly Json[]) =>
      textBody(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const stream = (word: string) =>
      lines(
        { text: 'Hel', is_finished: false, event_type: 'text-generation' },
        { text: word, is_finished: false, event_type: 'text-generation' },
        {
          is_finished: true,
          event_type: 'stream-end',
          finish_reason: 'COMPLETE',
          response: {
            id: 'g1',
            generations: [{ text: `Hel${word}`, finish_reason: 'COMPLETE' }],
            meta: { billed_units: { input_tokens: 2, output_tokens: 3 } },
          },
        },
      );
    const exchange = post('https://api.cohere.ai/v1/generate', { prompt: 'Hi', stream: true }, stream('lo'));
    const { response, problems } = readExchange(exchange);
    assert.equal(response?.content, 'Hello');
    assert.equal(response.finishReason, 'COMPLETE');
    assert.deepEqual(response.usage, { promptTokens: 2, completionTokens: 3, totalTokens: 5 });
    assert.deepEqual(problems, []);
    const edit = editResponseText(exchange, 'Help');
    assert.deepEqual('body' in edit && edit.body, stream('p'));
  });

  it('reads the pieces of Cloudflare, of llama.cpp, and of Command on Bedrock', () => {
    const cloudflare = sse({ response: 'Hel', p: 'ab' }, { response: 'lo', p: 'abc' });
    const llama = sse({ content: 'Hel', stop: false }, { content: 'lo', stop: false }, { content: '', stop: true });
    const command = base64Body(
      eventStream(
        ['chunk', { bytes: btoa(JSON.stringify({ text: 'Hel', is_finished: false })) }],
        ['chunk', { bytes: btoa(JSON.stringify({ text: 'lo', is_finished: false })) }],
        ['chunk', { bytes: btoa(JSON.stringify({ is_finished: true, finish_reason: 'COMPLETE' })) }],
      ),
    );
    const prompt = { prompt: 'Hi' };
    for (const exchange of [
      post('https://api.cloudflare.com/client/v4/accounts/a/ai/run/@cf/meta/llama', prompt, textBody(cloudflare)),
      post('http://localhost:8080/completion', prompt, textBody(llama)),
      post(`${BEDROCK}/cohere.command-text-v14/invoke-with-response-stream`, prompt, command),
    ])
      assert.equal(readExchange(exchange).response?.content, 'Hello', exchange.url);
  });

  it('keeps the texts of several choices apart', () => {
    const piece = (index: number, text: string): Json => ({ choices: [{ index, text }] });
    const stream = (word: string) => textBody(sse(piece(1, 'Bon'), piece(0, 'Hel'), piece(1, 'jour'), piece(0, word)));
    const exchange = post('/v1/completions', { prompt: 'Hi', n: 2 }, stream('lo'));
    const { response } = readExchange(exchange);
    assert.equal(response?.content, 'Hello');
    assert.deepEqual(response?.parts?.[1], { type: 'unknown', raw: { index: 1, text: 'Bonjour' } });
    const edit = editResponseText(exchange, 'Help');
    assert.deepEqual('body' in edit && edit.body, stream('p'));
  });

  it('reads tokens as a prompt without its text', () => {
    const { request } = read('/v1/completions', { prompt: [1, 2, 3] }, { choices: [{ text: 'x' }] });
    assert.deepEqual(request?.messages[0]?.parts, [{ type: 'unknown', raw: [1, 2, 3] }]);
  });
});
