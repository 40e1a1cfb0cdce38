import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, jsonBody, post, textBody, typedSse } from '../exchanges';

const URL = 'https://api.anthropic.com/v1/messages';

describe('Anthropic Messages', () => {
  const ask = (request: Json) => readExchange(post(URL, request, jsonBody({ type: 'message', content: [] }))).request;
  const readBody = (response: Json) => readExchange(post(URL, { messages: [] }, jsonBody(response))).response;

  it('reads the system prompt, blocks, and tool results as separate messages', () => {
    const request = ask({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'sig' },
            { type: 'redacted_thinking', data: 'sealed' },
            { type: 'text', text: 'One moment.' },
            { type: 'tool_use', id: 't1', name: 'look', input: { at: 'sky' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'Clouds' }] },
            { type: 'text', text: 'Well?' },
          ],
        },
      ],
      tools: [
        { name: 'look', description: 'Looks', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
    });
    assert.deepEqual(request, {
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Hi', toolCalls: [] },
        {
          role: 'assistant',
          content: 'One moment.',
          parts: [
            { type: 'reasoning', text: 'Hm', signature: 'sig' },
            { type: 'reasoning', text: '', encrypted: true, signature: 'sealed' },
            { type: 'text', text: 'One moment.' },
          ],
          toolCalls: [{ id: 't1', name: 'look', arguments: { at: 'sky' } }],
        },
        { role: 'tool', content: 'Clouds', toolCalls: [], toolCallId: 't1', isError: true },
        { role: 'user', content: 'Well?', toolCalls: [] },
      ],
      tools: [
        { name: 'look', description: 'Looks', schema: { type: 'object' } },
        { name: 'web_search', settings: { type: 'web_search_20250305', max_uses: 2 } },
      ],
      params: { max_tokens: 100 },
    });
  });

  it('reads images and documents from every kind of source', () => {
    const content: Json[] = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
      { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'Some notes' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'search_result', source: 'https://example.com' },
    ];
    assert.deepEqual(ask({ messages: [{ role: 'user', content }] })?.messages[0]?.parts, [
      { type: 'image', mime: 'image/png', base64: 'iVBORw0KGgo=' },
      { type: 'image', url: 'https://example.com/cat.png' },
      { type: 'text', text: 'Some notes' },
      { type: 'file', name: 'file_1' },
      { type: 'unknown', raw: { type: 'search_result', source: 'https://example.com' } },
    ]);
  });

  it('reads the provider’s own tools, with citations', () => {
    const call = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
    const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
    const response = readBody({
      type: 'message',
      content: [call, result, { type: 'text', text: 'Found', citations: [{ url: 'https://x' }] }],
      stop_reason: 'end_turn',
    });
    assert.deepEqual(response?.parts, [
      { type: 'server_tool', name: 'web_search', payload: call },
      { type: 'server_tool', name: 'web_search', payload: result },
      { type: 'text', text: 'Found' },
      { type: 'unknown', raw: { citations: [{ url: 'https://x' }] } },
    ]);
    assert.deepEqual(response?.toolCalls, []);
  });

  it('adds cached tokens to the total', () => {
    const usage = { input_tokens: 2, output_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 10 };
    assert.deepEqual(readBody({ type: 'message', content: [{ type: 'text', text: 'x' }], usage })?.usage, {
      promptTokens: 112,
      completionTokens: 3,
      totalTokens: 115,
      cachedTokens: 100,
      cacheWriteTokens: 10,
    });
  });

  it('reads a refusal as a response', () => {
    const response = readBody({ type: 'message', content: [], stop_reason: 'refusal' });
    assert.deepEqual(response, { content: null, toolCalls: [], finishReason: 'refusal' });
  });

  const START = {
    type: 'message_start',
    message: { type: 'message', model: 'claude', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
  } as const;

  it('joins a stream', () => {
    const stream = typedSse(
      START,
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: { url: 'https://x' } } },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a": 1}' } },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'server_tool_use', id: 's', name: 'search', input: {} },
      },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"q":"x"}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    );
    const { response } = readExchange(post(URL, { messages: [], stream: true }, textBody(stream)));
    const { chunks, ...rest } = response ?? {};
    assert.deepEqual(rest, {
      content: 'Hello',
      parts: [
        { type: 'reasoning', text: 'Hm', signature: 'sig' },
        { type: 'text', text: 'Hello' },
        { type: 'unknown', raw: { citations: [{ url: 'https://x' }] } },
        {
          type: 'server_tool',
          name: 'search',
          payload: { type: 'server_tool_use', id: 's', name: 'search', input: { q: 'x' } },
        },
      ],
      toolCalls: [{ id: 't', name: 'f', arguments: { a: 1 }, argumentsText: '{"a": 1}' }],
      model: 'claude',
      usage: { promptTokens: 5, completionTokens: 9, totalTokens: 14 },
      finishReason: 'tool_use',
    });
    assert.equal(chunks?.length, 17);
    assert.deepEqual(chunks?.[1], { event: 'ping', data: '{"type":"ping"}' });
  });

  it('reads a tool call without input as one without arguments', () => {
    const stream = typedSse(
      START,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
    );
    const { response } = readExchange(post(URL, { messages: [] }, textBody(stream)));
    assert.deepEqual(response?.toolCalls, [{ id: 't', name: 'f', arguments: {} }]);
  });

  it('reports an error in a stream', () => {
    const stream = typedSse(START, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    assert.equal(
      readExchange(post(URL, { messages: [] }, textBody(stream))).response?.error,
      'overloaded_error: Overloaded',
    );
  });

  it('is detected on Vertex and Bedrock, where the URL names the model', () => {
    const body = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    };
    const said = { type: 'message', content: [{ type: 'text', text: 'Yo' }] };
    const vertex =
      'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude-3-7@2025:rawPredict';
    const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-v1%3A0/invoke';
    for (const [url, model] of [
      [vertex, 'claude-3-7@2025'],
      [bedrock, 'us.anthropic.claude-v1:0'],
    ] as const) {
      const { api, request, response } = readExchange(post(url, body, jsonBody(said)));
      assert.deepEqual([api, request?.model, response?.content], ['anthropic-messages', model, 'Yo']);
    }
  });

  it('is read from Bedrock’s frames', () => {
    const wrap = (event: Json) => ['chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }] as const;
    const bytes = eventStream(
      wrap(START),
      wrap({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yo' } }),
      wrap({
        type: 'message_stop',
        'amazon-bedrock-invocationMetrics': { invocationLatency: 40, firstByteLatency: 10 },
      }),
    );
    const url = '/model/anthropic.claude/invoke-with-response-stream';
    const request = { anthropic_version: 'x', messages: [] };
    const { api, response, timing } = readExchange(post(url, request, base64Body(bytes)));
    assert.deepEqual([api, response?.content], ['anthropic-messages', 'Yo']);
    assert.deepEqual(timing, { durationMs: 40, firstTokenMs: 10 });
    assert.equal(response?.chunks?.[1]?.event, 'chunk');
    assert.match(response?.chunks?.[1]?.data ?? '', /text_delta/);
  });

  it('is not confused with OpenAI’s endpoint of the same name', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/messages';
    const { kind } = readExchange(
      post(url, { role: 'user', content: 'Hi' }, jsonBody({ object: 'thread.message', role: 'user', content: [] })),
    );
    assert.equal(kind, 'http');
  });
});
