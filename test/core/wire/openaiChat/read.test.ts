import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../../src/core/json/json';
import { editResponseText } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, NO_BODY, post, sse, textBody } from '../exchanges';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const PIXEL = 'iVBORw0KGgo=';

describe('OpenAI Chat Completions', () => {
  const ask = (request: Parameters<typeof jsonBody>[0]) =>
    readExchange(post(CHAT, request, jsonBody({ choices: [] }))).request;
  const readMessage = (message: Parameters<typeof jsonBody>[0], others: Record<string, never> = {}) =>
    readExchange(post(CHAT, { messages: [] }, jsonBody({ choices: [{ message, finish_reason: 'stop' }], ...others })))
      .response;

  it("reads a call of one of Mistral's agents, with a response or without", () => {
    const request = { agent_id: 'ag_1', messages: [{ role: 'user', content: 'Hi' }] };
    const response = jsonBody({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
    for (const body of [response, NO_BODY]) {
      const read = readExchange(post('https://api.mistral.ai/v1/agents/completions', request, body));
      assert.deepEqual([read.api, read.request?.messages.length], ['openai-chat', 1]);
    }
  });

  it('reads a conversation with tool calls and results', () => {
    const request = ask({
      model: 'gpt-4o',
      temperature: 0.2,
      stream: true,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Weather?', name: 'Ada' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
            { id: 'b', type: 'function', function: { name: 'weather', arguments: '{"city":' } },
            { id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Rain' }] },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'weather', description: 'Looks', parameters: { type: 'object' }, strict: true },
        },
        { type: 'web_search', search_context_size: 'low' },
      ],
    });
    assert.deepEqual(request, {
      model: 'gpt-4o',
      messages: [
        { role: 'developer', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Weather?', toolCalls: [], name: 'Ada' },
        {
          role: 'assistant',
          content: null,
          toolCalls: [
            { id: 'a', name: 'weather', arguments: { city: 'Bern' }, argumentsText: '{"city":"Bern"}' },
            { id: 'b', name: 'weather', arguments: '{"city":', argumentsText: '{"city":' },
            { id: 'c', name: 'shell', arguments: 'ls -l' },
          ],
        },
        { role: 'tool', content: 'Rain', toolCalls: [], toolCallId: 'a' },
      ],
      tools: [
        { name: 'weather', description: 'Looks', schema: { type: 'object' }, settings: { strict: true } },
        { name: 'web_search', settings: { type: 'web_search', search_context_size: 'low' } },
      ],
      params: { temperature: 0.2, stream: true },
    });
  });

  it('reads images, audio and files without loading them', () => {
    const request = ask({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'file', file: { file_id: 'file-1' } },
            { type: 'hologram', depth: 3 },
          ],
        },
      ],
    });
    assert.deepEqual(request?.messages[0]?.parts, [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mime: 'image/png', base64: PIXEL },
      { type: 'image', url: 'https://example.com/cat.png' },
      { type: 'audio', mime: 'audio/wav', base64: 'UklGRg==' },
      { type: 'file', mime: 'application/pdf', base64: 'JVBERi0=', name: 'a.pdf' },
      { type: 'file', name: 'file-1' },
      { type: 'unknown', raw: { type: 'hologram', depth: 3 } },
    ]);
    assert.equal(request?.messages[0]?.content, 'What is this?');
  });

  it('reads functions, the predecessors of tools, and links a result to its call', () => {
    const request = ask({
      functions: [{ name: 'add', parameters: {} }],
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{"a":1}' } },
        { role: 'function', name: 'add', content: '2' },
      ],
    });
    assert.deepEqual(request?.tools, [{ name: 'add', schema: {} }]);
    assert.equal(request?.messages[0]?.toolCalls[0]?.id, 'add_1');
    assert.deepEqual(request?.messages[1], {
      role: 'tool',
      content: '2',
      toolCalls: [],
      toolCallId: 'add_1',
      name: 'add',
    });
  });

  it('reads a response with its token counts', () => {
    const { response } = readExchange(
      post(
        CHAT,
        { messages: [] },
        jsonBody({
          model: 'gpt-4o-2024',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: 'Hi', refusal: null, annotations: [] },
              finish_reason: 'length',
            },
          ],
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            total_tokens: 15,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        }),
      ),
    );
    assert.deepEqual(response, {
      content: 'Hi',
      toolCalls: [],
      model: 'gpt-4o-2024',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15, cachedTokens: 4, reasoningTokens: 2 },
      finishReason: 'length',
    });
  });

  it('reads refusals, audio, citations and unknown members', () => {
    assert.deepEqual(readMessage({ content: null, refusal: 'No.' })?.parts, [{ type: 'refusal', text: 'No.' }]);
    assert.deepEqual(readMessage({ content: null, audio: { id: 'a', data: 'AAAA', transcript: 'Hello' } }), {
      content: 'Hello',
      parts: [
        { type: 'audio', mime: 'audio/*', base64: 'AAAA' },
        { type: 'text', text: 'Hello' },
      ],
      toolCalls: [],
      finishReason: 'stop',
    });
    assert.deepEqual(
      readMessage({ content: 'x', annotations: [{ type: 'url_citation' }], mood: 'glad', cache_control: {} })?.parts,
      [
        { type: 'text', text: 'x' },
        { type: 'unknown', raw: { annotations: [{ type: 'url_citation' }] } },
        { type: 'unknown', raw: { mood: 'glad' } },
      ],
    );
  });

  it('reads the reasoning of DeepSeek, OpenRouter, LiteLLM and Mistral', () => {
    const thought = { type: 'reasoning', text: 'Hm' };
    const messages: JsonRecord[] = [
      { content: 'x', reasoning_content: 'Hm' },
      { content: 'x', reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] },
      { content: 'x', reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm' }] },
      { content: 'x', thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }] },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'x' },
        ],
      },
    ];
    for (const message of messages)
      assert.deepEqual(readMessage(message)?.parts, [thought, { type: 'text', text: 'x' }]);
    assert.deepEqual(
      readMessage({ content: 'x', reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VhbGVk' }] })?.parts,
      [
        { type: 'reasoning', text: '', encrypted: true, signature: 'c2VhbGVk' },
        { type: 'text', text: 'x' },
      ],
    );
  });

  it('keeps other choices', () => {
    const body = {
      choices: [
        { index: 0, message: { content: 'a' } },
        { index: 1, message: { content: 'b' } },
      ],
    };
    const { response } = readExchange(post(CHAT, { messages: [] }, jsonBody(body)));
    assert.equal(response?.content, 'a');
    assert.deepEqual(response?.parts?.[1], { type: 'unknown', raw: body.choices[1] ?? null });
  });

  it('joins the chunks of a stream: tool calls by index, or by id if servers omit the index', () => {
    const calls = (...pieces: Parameters<typeof jsonBody>[0][]) => {
      const chunks = pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }));
      return readExchange(post(CHAT, { messages: [] }, textBody(sse(...chunks, '[DONE]')))).response?.toolCalls;
    };
    const expected = [
      { id: 'a', name: 'f', arguments: { x: 1 }, argumentsText: '{"x":1}' },
      { id: 'b', name: 'g', arguments: {}, argumentsText: '' },
    ];
    assert.deepEqual(
      calls(
        { index: 0, id: 'a', function: { name: 'f', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'g' } },
        { index: 0, function: { arguments: '{"x"' } },
        { index: 0, function: { name: 'f', arguments: ':1}' } },
      ),
      expected,
    );
    assert.deepEqual(
      calls(
        { index: 0, id: 'a', function: { name: 'f' } },
        { index: 0, id: 'made-up', function: { arguments: '{"x"' } },
        { index: 0, id: 'again', function: { arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'g' } },
      ),
      expected,
      'vLLM and others make up an id for every piece',
    );
    assert.deepEqual(
      calls(
        { index: 0, id: '', function: { name: 'f', arguments: '{"x":1}' } },
        { index: 0, id: '', function: { name: 'g', arguments: '' } },
      )?.map(({ name, argumentsText }) => [name, argumentsText]),
      [
        ['f', '{"x":1}'],
        ['g', ''],
      ],
      'Gemini and others send each call as a whole, without an id',
    );
    assert.deepEqual(
      calls(
        { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'b', function: { name: 'g', arguments: '' } },
      ),
      expected,
    );
  });

  it('reads the choice with the lowest index, whichever comes first', () => {
    const piece = (index: Json, content: string): Json => ({ choices: [{ index, delta: { content } }] });
    const exchange = post(CHAT, { n: 2 }, textBody(sse(piece(1, 'B'), piece(0, 'A'), '[DONE]')));
    assert.equal(readExchange(exchange).response?.content, 'A');
    const edit = editResponseText(exchange, 'changed');
    assert.deepEqual('body' in edit && edit.body, textBody(sse(piece(1, 'B'), piece(0, 'changed'), '[DONE]')));
  });

  it('ignores an index that is neither a number nor a string', () => {
    const piece = (index: Json, content: string): Json => ({ choices: [{ index, delta: { content } }] });
    const hostile = { toString: 1, valueOf: 1 };
    const exchange = post(CHAT, {}, textBody(sse(piece(hostile, 'A'), piece(1, 'B'))));
    assert.equal(readExchange(exchange).response?.content, 'A');
    assert('body' in editResponseText(exchange, 'changed'));
  });

  it('reads the usage of a stream that Moonshot reports in the choice', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const chunks: JsonRecord[] = [{ delta: { content: 'Hi' } }, { delta: {}, finish_reason: 'stop', usage }];
    const body = textBody(sse(...chunks.map((choice) => ({ choices: [{ index: 0, ...choice }] })), '[DONE]'));
    assert.deepEqual(readExchange(post(CHAT, { messages: [] }, body)).response?.usage, {
      promptTokens: 1,
      completionTokens: 2,
      totalTokens: 3,
    });
  });

  it('reports an error in the middle of a stream, and keeps the events before it', () => {
    const { response } = readExchange(
      post(
        CHAT,
        { messages: [] },
        textBody(
          sse(
            { choices: [{ index: 0, delta: { content: 'Hel' } }] },
            {
              error: { message: 'overloaded', type: 'server_error' },
            },
          ),
        ),
      ),
    );
    assert.equal(response?.content, 'Hel');
    assert.equal(response?.error, 'server_error: overloaded');
  });

  it('joins audio chunks, each of which is separate base64', () => {
    const piece = (data: string, transcript: string) => ({ choices: [{ delta: { audio: { data, transcript } } }] });
    const body = textBody(sse(piece('QQ==', 'Hel'), piece('Qg==', 'lo')));
    assert.deepEqual(readExchange(post(CHAT, { messages: [] }, body)).response?.parts, [
      { type: 'audio', mime: 'audio/*', base64: 'QUI=' },
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('is detected at every URL that serves it', () => {
    const urls = [
      'https://x.openai.azure.com/openai/deployments/gpt-4/chat/completions?api-version=2024-06-01',
      'https://llm.example/v1/engines/gpt-4/chat/completions',
      'http://localhost:12434/engines/v1/chat/completions',
      'http://localhost:12434/engines/llama.cpp/v1/chat/completions',
      'https://gateway.ai.cloudflare.com/v1/account/gateway/compat/chat/completions',
      'https://api.groq.com/openai/v1/chat/completions',
      'http://localhost:11434/v1/chat/completions',
      '<GPUSTACK_API_BASE>/chat/completions',
      '/chat/completions',
    ];
    for (const url of urls) {
      const { api, request } = readExchange(
        post(url, { messages: [{ role: 'user', content: 'x' }] }, jsonBody({ choices: [] })),
      );
      assert.equal(api, 'openai-chat', url);
      assert.equal(request?.model, url.includes('/gpt-4/') ? 'gpt-4' : undefined);
    }
  });
});
