import assert from 'node:assert/strict';
import type { HttpBody } from '../../../../src/core/model/http';
import { editResponseText } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../exchanges';

const PIXEL = 'iVBORw0KGgo=';

describe('OpenAI Responses', () => {
  const URL = 'https://api.openai.com/v1/responses';
  const read = (request: Parameters<typeof jsonBody>[0], response: Parameters<typeof jsonBody>[0] = {}) =>
    readExchange(
      post(URL, request, jsonBody({ object: 'response', status: 'completed', output: [], ...(response as object) })),
    );

  it('reads the items of a turn as one message', () => {
    const { request } = read({
      model: 'gpt-5',
      instructions: 'Be brief.',
      store: false,
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'c2VhbGVk' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
        { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'ls' },
        { type: 'function_call_output', call_id: 'c1', output: '2' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'a.txt' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'And?' },
            { type: 'input_image', image_url: 'https://x/y.png' },
          ],
        },
        { type: 'item_reference', id: 'msg_1' },
      ],
      tools: [
        { type: 'function', name: 'add', parameters: {} },
        { type: 'mcp', server_label: 'dice', server_url: 'https://dice' },
      ],
    });
    assert.deepEqual(request?.messages, [
      { role: 'system', content: 'Be brief.', toolCalls: [] },
      { role: 'user', content: 'Hi', toolCalls: [] },
      {
        role: 'assistant',
        content: 'One moment.',
        parts: [
          { type: 'reasoning', text: '', encrypted: true, signature: 'c2VhbGVk' },
          { type: 'text', text: 'One moment.' },
        ],
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1 }, argumentsText: '{"a":1}' },
          { id: 'c2', name: 'shell', arguments: 'ls' },
        ],
      },
      { role: 'tool', content: '2', toolCalls: [], toolCallId: 'c1' },
      { role: 'tool', content: 'a.txt', toolCalls: [], toolCallId: 'c2' },
      {
        role: 'user',
        content: 'And?',
        parts: [
          { type: 'text', text: 'And?' },
          { type: 'image', url: 'https://x/y.png' },
        ],
        toolCalls: [],
      },
      {
        role: 'assistant',
        content: null,
        parts: [{ type: 'unknown', raw: { type: 'item_reference', id: 'msg_1' } }],
        toolCalls: [],
      },
    ]);
    assert.deepEqual(
      request?.tools.map(({ name }) => name),
      ['add', 'dice'],
    );
    assert.deepEqual(request?.params, { store: false });
  });

  it("distinguishes the client's tool calls from the provider's own", () => {
    const { response } = read(
      { input: 'x' },
      {
        model: 'gpt-5-2025',
        output: [
          { type: 'web_search_call', id: 'ws', status: 'completed' },
          { type: 'image_generation_call', id: 'ig', output_format: 'webp', result: PIXEL },
          { type: 'apply_patch_call', call_id: 'p', operation: { type: 'create_file' }, status: 'completed' },
          {
            type: 'message',
            content: [
              { type: 'output_text', text: 'Done', annotations: [{ type: 'url_citation' }] },
              { type: 'refusal', refusal: 'no' },
            ],
          },
          { type: 'compaction', encrypted_content: 'x' },
        ],
        usage: {
          input_tokens: 7,
          input_tokens_details: { cached_tokens: 3 },
          output_tokens: 2,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: 9,
        },
      },
    );
    assert.deepEqual(response, {
      content: 'Done',
      parts: [
        {
          type: 'server_tool',
          name: 'web_search',
          payload: { type: 'web_search_call', id: 'ws', status: 'completed' },
        },
        {
          type: 'server_tool',
          name: 'image_generation',
          payload: { type: 'image_generation_call', id: 'ig', output_format: 'webp' },
        },
        { type: 'image', mime: 'image/webp', base64: PIXEL },
        { type: 'text', text: 'Done' },
        { type: 'unknown', raw: { annotations: [{ type: 'url_citation' }] } },
        { type: 'refusal', text: 'no' },
        { type: 'unknown', raw: { type: 'compaction', encrypted_content: 'x' } },
      ],
      toolCalls: [{ id: 'p', name: 'apply_patch', arguments: { type: 'create_file' } }],
      model: 'gpt-5-2025',
      usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9, cachedTokens: 3, reasoningTokens: 1 },
      finishReason: 'completed',
    });
  });

  it('reports why a response is incomplete or has failed', () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    assert.equal(read({ input: 'x' }, incomplete).response?.finishReason, 'max_output_tokens');
    const failed = { status: 'failed', error: { code: 'server_error', message: 'Sorry' } };
    assert.equal(read({ input: 'x' }, failed).response?.error, 'server_error: Sorry');
  });

  it('ignores an output index that is neither a number nor a string', () => {
    const hostile = { toString: 1, valueOf: 1 };
    const pieces = [hostile, 1].map((place) => ({
      type: 'response.output_text.delta',
      output_index: place,
      content_index: hostile,
      delta: 'a',
    }));
    const exchange = post(URL, { input: 'x' }, textBody(sse(...pieces)));
    assert.equal(readExchange(exchange).response?.content, 'aa');
    assert('body' in editResponseText(exchange, 'ab'));
  });

  it('reads a response that is polled for, or whose stream is resumed', () => {
    const fetch = (body: HttpBody, method = 'GET') =>
      readExchange(post(`${URL}/resp_1?stream=true`, undefined, body, { method }));
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] }];
    const response = { id: 'resp_1', object: 'response', status: 'completed', output };
    for (const body of [jsonBody(response), textBody(sse({ type: 'response.completed', response }))]) {
      const { api, response } = fetch(body);
      assert.deepEqual([api, response?.content, response?.finishReason], ['openai-responses', 'Done', 'completed']);
    }
    assert.equal(fetch(jsonBody({ ...response, status: 'queued', output: [] })).kind, 'http');
    assert.equal(fetch(jsonBody({ id: 'resp_1', object: 'response', deleted: true }), 'DELETE').kind, 'http');
    const counted = jsonBody({ object: 'response.input_tokens', input_tokens: 2 });
    assert.equal(readExchange(post(`${URL}/input_tokens`, { input: 'x', tools: [] }, counted)).kind, 'http');
  });

  it('reads a truncated stream', () => {
    const { response } = readExchange(
      post(
        URL,
        { input: 'x' },
        textBody(
          sse(
            { type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } },
            { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
            { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Hm' },
            { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
            { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hel' },
            { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'lo' },
            {
              type: 'response.output_item.added',
              output_index: 2,
              item: { type: 'function_call', call_id: 'c', name: 'add', arguments: '' },
            },
            { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
          ),
        ),
      ),
    );
    assert.equal(response?.content, 'Hello');
    assert.deepEqual(response?.parts?.[0], { type: 'reasoning', text: 'Hm' });
    assert.deepEqual(response?.toolCalls, [{ id: 'c', name: 'add', arguments: '{"a":', argumentsText: '{"a":' }]);
    assert.equal(response?.finishReason, undefined);
    assert.equal(response?.chunks?.length, 8);
  });
});
