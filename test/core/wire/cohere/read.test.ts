import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, ndjson, post, sse, textBody } from '../exchanges';

const read = (url: string, request: Json, response: Json) => readExchange(post(url, request, jsonBody(response)));

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

  it('reads version 1, streamed or not', () => {
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
