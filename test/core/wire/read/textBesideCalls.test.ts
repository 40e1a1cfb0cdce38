import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../../src/core/json/json';
import { compactJson } from '../../../../src/core/json/json';
import type { HttpBody } from '../../../../src/core/model/http';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, jsonBody, ndjson, post, sse, textBody, typedSse } from '../exchanges';

const TEXT = 'Let me see';
const ARGUMENTS = '{"rate":1.0,"big":12345678901234567890}';
const MESSAGES = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, system: 'x' };

/** The JSON of a value in which `"ARGUMENTS"` stands for the arguments as an object. */
function withObject(value: Json): string {
  return compactJson(value).replaceAll('"ARGUMENTS"', ARGUMENTS);
}

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: ARGUMENTS } };
const chatChunk = (delta: Json, reason: string | null = null): Json => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: reason }],
});
const parts: JsonRecord[] = [{ text: TEXT }, { functionCall: { name: 'f', args: 'ARGUMENTS' } }];

/** Responses of every protocol in which a text stands beside a call, whole and streamed. */
const RESPONSES: readonly (readonly [name: string, url: string, request: Json, body: HttpBody])[] = [
  [
    'openai-chat',
    'https://a.example/v1/chat/completions',
    MESSAGES,
    jsonBody({
      choices: [{ finish_reason: 'tool_calls', message: { role: 'assistant', content: TEXT, tool_calls: [call] } }],
    }),
  ],
  [
    'openai-chat, streamed',
    'https://a.example/v1/chat/completions',
    MESSAGES,
    textBody(
      sse(
        chatChunk({ content: TEXT }),
        chatChunk({ tool_calls: [{ index: 0, ...call }] }),
        chatChunk({}, 'tool_calls'),
        '[DONE]',
      ),
    ),
  ],
  [
    'openai-responses',
    'https://a.example/v1/responses',
    { input: 'Hi', store: true },
    jsonBody({
      object: 'response',
      status: 'completed',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: TEXT }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: ARGUMENTS },
      ],
    }),
  ],
  [
    'openai-responses, streamed without its last event',
    'https://a.example/v1/responses',
    { input: 'Hi', store: true },
    textBody(
      sse(
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: TEXT },
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
        },
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: ARGUMENTS },
      ),
    ),
  ],
  [
    'anthropic-messages',
    'https://a.example/v1/messages',
    MESSAGES,
    textBody(
      withObject({
        type: 'message',
        stop_reason: 'tool_use',
        content: [
          { type: 'text', text: TEXT },
          { type: 'tool_use', id: 'c', name: 'f', input: 'ARGUMENTS' },
        ],
      }),
    ),
  ],
  [
    'anthropic-messages, streamed',
    'https://a.example/v1/messages',
    MESSAGES,
    textBody(
      typedSse(
        { type: 'message_start', message: { type: 'message', content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } },
        { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ARGUMENTS } },
        { type: 'message_stop' },
      ),
    ),
  ],
  [
    'gemini',
    'https://a.example/v1beta/models/m:generateContent',
    { contents: [] },
    textBody(withObject({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })),
  ],
  [
    'gemini, streamed',
    'https://a.example/v1beta/models/m:streamGenerateContent?alt=sse',
    { contents: [] },
    textBody(parts.map((part) => `data: ${withObject({ candidates: [{ content: { parts: [part] } }] })}\n\n`).join('')),
  ],
  [
    'gemini-code-assist',
    'https://a.example/v1internal:generateContent',
    { request: {} },
    textBody(withObject({ response: { candidates: [{ content: { parts } }] } })),
  ],
  [
    'ollama',
    'http://localhost/api/chat',
    MESSAGES,
    textBody(
      withObject({
        done: true,
        message: {
          role: 'assistant',
          content: TEXT,
          tool_calls: [{ function: { name: 'f', arguments: 'ARGUMENTS' } }],
        },
      }),
    ),
  ],
  [
    'ollama, streamed',
    'http://localhost/api/chat',
    MESSAGES,
    textBody(
      ndjson({ done: false, message: { role: 'assistant', content: TEXT } }) +
        `${withObject({ done: false, message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: 'ARGUMENTS' } }] } })}\n` +
        ndjson({ done: true, message: { role: 'assistant', content: '' } }),
    ),
  ],
  [
    'cohere',
    'https://a.example/v2/chat',
    MESSAGES,
    jsonBody({
      id: 'x',
      finish_reason: 'TOOL_CALL',
      message: { role: 'assistant', content: [{ type: 'text', text: TEXT }], tool_calls: [call] },
    }),
  ],
  [
    'cohere, version 1',
    'https://a.example/v1/chat',
    { message: 'Hi' },
    textBody(withObject({ text: TEXT, generation_id: 'g', tool_calls: [{ name: 'f', parameters: 'ARGUMENTS' }] })),
  ],
  [
    'bedrock-converse',
    'https://a.example/model/m/converse',
    { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    textBody(
      withObject({
        output: {
          message: {
            role: 'assistant',
            content: [{ text: TEXT }, { toolUse: { toolUseId: 'c', name: 'f', input: 'ARGUMENTS' } }],
          },
        },
        stopReason: 'tool_use',
      }),
    ),
  ],
  [
    'bedrock-converse, streamed',
    'https://a.example/model/m/converse-stream',
    { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    base64Body(
      eventStream(
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: TEXT } }],
        ['contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'c', name: 'f' } } }],
        ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: ARGUMENTS } } }],
        ['messageStop', { stopReason: 'tool_use' }],
      ),
    ),
  ],
];

describe('a text beside the call of a tool', () => {
  for (const [name, url, request, body] of RESPONSES)
    it(`is read, and the arguments with their numbers as they were written: ${name}`, () => {
      const { response } = readExchange(post(url, request, body));
      assert.equal(response?.content, TEXT);
      assert.deepEqual(
        response?.toolCalls.map(({ name, arguments: args }) => [name, compactJson(args)]),
        [['f', ARGUMENTS]],
      );
    });
});
