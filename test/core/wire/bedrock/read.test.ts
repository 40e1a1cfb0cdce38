import assert from 'node:assert/strict';
import { concatBytes } from '../../../../src/core/bytes/concatBytes';
import type { Json } from '../../../../src/core/json/json';
import { writeEventStream } from '../../../../src/core/wire/body/eventStream';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, jsonBody, post } from '../exchanges';

const URL = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-lite-v1%3A0/converse';

describe('Bedrock Converse', () => {
  const read = (request: Json, response: Json = {}) => readExchange(post(URL, request, jsonBody(response)));

  it('reads a conversation', () => {
    const { api, request } = read({
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
      inferenceConfig: { maxTokens: 10 },
      toolConfig: {
        tools: [
          { toolSpec: { name: 'f', description: 'd', inputSchema: { json: { type: 'object' } } } },
          { cachePoint: {} },
        ],
        toolChoice: { auto: {} },
      },
      messages: [
        {
          role: 'user',
          content: [{ text: 'Hi' }, { document: { format: 'pdf', name: 'Doc', source: { bytes: 'JVBERi0=' } } }],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
            { toolUse: { toolUseId: 't', name: 'f', input: { a: 1 } } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 't', status: 'error', content: [{ json: { b: 2 } }] } }] },
      ],
    });
    assert.equal(api, 'bedrock-converse');
    assert.deepEqual(request, {
      model: 'us.amazon.nova-lite-v1:0',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        {
          role: 'user',
          content: 'Hi',
          parts: [
            { type: 'text', text: 'Hi' },
            { type: 'file', mime: 'application/pdf', base64: 'JVBERi0=', name: 'Doc' },
          ],
          toolCalls: [],
        },
        {
          role: 'assistant',
          content: null,
          parts: [{ type: 'reasoning', text: 'Hm', signature: 'sig' }],
          toolCalls: [{ id: 't', name: 'f', arguments: { a: 1 } }],
        },
        { role: 'tool', content: '{"b":2}', toolCalls: [], toolCallId: 't', isError: true },
      ],
      tools: [{ name: 'f', description: 'd', schema: { type: 'object' } }],
      params: { toolChoice: { auto: {} }, maxTokens: 10 },
    });
  });

  it('reads a response with its token counts and duration', () => {
    const { response, timing } = read(
      { messages: [] },
      {
        output: { message: { role: 'assistant', content: [{ text: 'Hello' }, { video: { format: 'mp4' } }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 2, outputTokens: 3, totalTokens: 32, cacheReadInputTokens: 27 },
        metrics: { latencyMs: 642 },
      },
    );
    assert.deepEqual(response, {
      content: 'Hello',
      parts: [
        { type: 'text', text: 'Hello' },
        { type: 'unknown', raw: { video: { format: 'mp4' } } },
      ],
      toolCalls: [],
      usage: { promptTokens: 29, completionTokens: 3, totalTokens: 32, cachedTokens: 27 },
      finishReason: 'end_turn',
    });
    assert.deepEqual(timing, { durationMs: 642 });
  });

  it('joins a stream', () => {
    const bytes = eventStream(
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' }, p: 'abcd' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo' } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 't', name: 'f' } } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"a"' } } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: ':1}' } } }],
      ['messageStop', { stopReason: 'tool_use' }],
      ['metadata', { usage: { inputTokens: 4, outputTokens: 5, totalTokens: 9 }, metrics: { latencyMs: 7 } }],
    );
    const { response, timing } = readExchange(post(`${URL}-stream`, { messages: [] }, base64Body(bytes)));
    const { chunks, ...rest } = response ?? {};
    assert.deepEqual(rest, {
      content: 'Hello',
      toolCalls: [{ id: 't', name: 'f', arguments: { a: 1 }, argumentsText: '{"a":1}' }],
      usage: { promptTokens: 4, completionTokens: 5, totalTokens: 9 },
      finishReason: 'tool_use',
    });
    assert.deepEqual(chunks?.[0], { event: 'messageStart', data: '{"role":"assistant"}' });
    assert.equal(timing?.durationMs, 7);
  });

  it('reports an exception in a stream', () => {
    const bytes = eventStream(
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' } }],
      ['throttlingException', { message: 'Slow down' }],
    );
    const { response } = readExchange(post(`${URL}-stream`, { messages: [] }, base64Body(bytes)));
    assert.deepEqual([response?.content, response?.error], ['Hel', 'throttlingException: Slow down']);
  });

  it('reports an error in the headers of a message', () => {
    const failed = (...headers: readonly (readonly [name: string, value: string])[]) => {
      const message = headers.map(([name, value]) => [name, { type: 'string', value }] as const);
      const bytes = concatBytes([
        eventStream(['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' } }]),
        writeEventStream([
          { headers: [[':message-type', { type: 'string', value: 'error' }], ...message], payload: new Uint8Array() },
        ]),
      ]);
      const { response } = readExchange(post(`${URL}-stream`, { messages: [] }, base64Body(bytes)));
      return [response?.content, response?.error];
    };
    const code = [':error-code', 'InternalFailure'] as const;
    const said = [':error-message', 'Sorry'] as const;
    assert.deepEqual(failed(code, said), ['Hel', 'InternalFailure: Sorry']);
    assert.deepEqual(failed(code), ['Hel', 'InternalFailure']);
    assert.deepEqual(failed([':error-code', 'throttlingException'], said), ['Hel', 'throttlingException: Sorry']);
  });

  it('distinguishes Nova’s own tools from the client’s', () => {
    const call = { type: 'server_tool_use', toolUseId: 't', name: 'nova_grounding', input: '{"query":"x"}' };
    const result = { type: 'nova_grounding_result', toolUseId: 't', status: 'success' };
    const { response } = read(
      { messages: [] },
      { output: { message: { content: [{ toolUse: call }, { toolResult: result }, { text: 'x' }] } } },
    );
    assert.deepEqual(response?.toolCalls, []);
    assert.deepEqual(response?.parts, [
      { type: 'server_tool', name: 'nova_grounding', payload: { ...call, input: { query: 'x' } } },
      { type: 'server_tool', name: 'nova_grounding', payload: result },
      { type: 'text', text: 'x' },
    ]);
  });

  it('keeps the results of Nova’s own tools, streamed or not', () => {
    const result = { type: 'nova_grounding_result', toolUseId: 't', status: 'success' };
    const bytes = eventStream(
      ['contentBlockStart', { contentBlockIndex: 0, start: { toolResult: result } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolResult: [{ json: { found: 1 } }] } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolResult: [{ text: 'more' }] } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'x' } }],
    );
    const { response } = readExchange(post(`${URL}-stream`, { messages: [] }, base64Body(bytes)));
    assert.deepEqual(response?.parts, [
      {
        type: 'server_tool',
        name: 'nova_grounding',
        payload: { ...result, content: [{ json: { found: 1 } }, { text: 'more' }] },
      },
      { type: 'text', text: 'x' },
    ]);
  });

  it('is detected at the URL that Nova shares with other models', () => {
    const body = { schemaVersion: 'messages-v1', messages: [{ role: 'user', content: [{ text: 'Hi' }] }] };
    const { api, response } = readExchange(
      post(
        URL.replace('/converse', '/invoke'),
        body,
        jsonBody({ output: { message: { content: [{ text: 'Yo' }] } }, stopReason: 'end_turn' }),
      ),
    );
    assert.deepEqual([api, response?.content], ['bedrock-converse', 'Yo']);
  });

  it('reads the duration of a response that Nova streams in `invoke`', () => {
    const wrap = (event: Json) => ['chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }] as const;
    const bytes = eventStream(
      wrap({ messageStart: { role: 'assistant' } }),
      wrap({ contentBlockDelta: { delta: { text: 'Yo' }, contentBlockIndex: 0 } }),
      wrap({ messageStop: { stopReason: 'end_turn' } }),
      wrap({
        metadata: { usage: { inputTokens: 2, outputTokens: 3 }, metrics: {}, trace: {} },
        'amazon-bedrock-invocationMetrics': { invocationLatency: 40, firstByteLatency: 10 },
      }),
    );
    const url = URL.replace('/converse', '/invoke-with-response-stream');
    const { response, timing } = readExchange(post(url, { messages: [] }, base64Body(bytes)));
    const { chunks: _, ...rest } = response ?? {};
    assert.deepEqual(rest, {
      content: 'Yo',
      toolCalls: [],
      usage: { promptTokens: 2, completionTokens: 3, totalTokens: 5 },
      finishReason: 'end_turn',
    });
    assert.deepEqual(timing, { durationMs: 40, firstTokenMs: 10 });
  });

  it('reads the type of an error from the header', () => {
    const { response } = readExchange(
      post(URL, { messages: [] }, jsonBody({ message: 'No access' }), {
        status: 403,
        headers: [['x-amzn-ErrorType', 'AccessDeniedException:http://internal.amazon.com/']],
      }),
    );
    assert.equal(response?.error, 'HTTP 403 AccessDeniedException: No access');
  });
});
