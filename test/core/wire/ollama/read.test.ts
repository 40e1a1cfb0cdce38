import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, ndjson, post, textBody } from '../exchanges';

const read = (url: string, request: Json, response: Json) => readExchange(post(url, request, jsonBody(response)));

describe('Ollama', () => {
  const CHAT = 'http://localhost:11434/api/chat';

  it('reads a conversation whose tool calls have no ids', () => {
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

  it('reads a prompt and its completion', () => {
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

  it('keeps the events before the end of a truncated stream', () => {
    const line = (content: string) => JSON.stringify({ message: { role: 'assistant', content }, done: false });
    const body = [line('one '), line('two '), line('three').slice(0, -20)].join('\n');
    const { response, problems } = readExchange(post(CHAT, { messages: [] }, textBody(body)));
    assert.deepEqual([response?.content?.startsWith('one two '), response?.chunks?.length], [true, 3]);
    assert.match(problems[0]?.message ?? '', /Frame 3 of the streamed response is not valid JSON/);
  });

  it('reports an error', () => {
    const { response } = readExchange(
      post(CHAT, { model: 'm', messages: [] }, jsonBody({ error: 'no such model' }), { status: 404 }),
    );
    assert.equal(response?.error, 'HTTP 404: no such model');
  });
});
