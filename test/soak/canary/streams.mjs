// Streams as providers send them, with one text in pieces: each protocol with each of its fields that streams.
import { crc32, gzipSync } from 'node:zlib';

/**
 * @typedef {object} Stream
 * @property {string} api  The name of the upstream.
 * @property {string} path
 * @property {string} type
 * @property {Record<string, unknown>} request  More members of the request.
 * @property {string} [encoding]  How the body is compressed.
 * @property {(pieces: readonly string[]) => Buffer} write
 */

const MESSAGES = [{ role: 'user', content: 'go' }];

/** @param {unknown[]} values @param {string[]} [end] */
const sse = (values, end = []) =>
  Buffer.from([...values.map((value) => JSON.stringify(value)), ...end].map((data) => `data: ${data}\n\n`).join(''));
/** @param {any[]} values */
const namedSse = (values) =>
  Buffer.from(values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join(''));
/** @param {unknown[]} values */
const lines = (values) => Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

/** @param {(piece: string, at: number) => unknown} delta @param {number} [index] @returns {(pieces: readonly string[]) => Buffer} */
const openai =
  (delta, index = 0) =>
  (pieces) =>
    sse(
      [
        {
          id: 'c',
          object: 'chat.completion.chunk',
          model: 'm',
          choices: [{ index, delta: { role: 'assistant', content: '' } }],
        },
        ...pieces.map((piece, at) => ({
          id: 'c',
          object: 'chat.completion.chunk',
          model: 'm',
          choices: [{ index, delta: delta(piece, at) }],
        })),
        {
          id: 'c',
          object: 'chat.completion.chunk',
          model: 'm',
          choices: [{ index, delta: {}, finish_reason: 'stop' }],
        },
      ],
      ['[DONE]'],
    );

/** @param {unknown} block @param {(piece: string) => unknown} delta @returns {(pieces: readonly string[]) => Buffer} */
const anthropic = (block, delta) => (pieces) =>
  namedSse([
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    ...pieces.map((piece) => ({ type: 'content_block_delta', index: 0, delta: delta(piece) })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]);

/** @param {string} type @param {Record<string, unknown>} more @returns {(pieces: readonly string[]) => Buffer} */
const responses = (type, more) => (pieces) =>
  namedSse([
    { type: 'response.created', response: { id: 'r', object: 'response', model: 'm', output: [] } },
    ...pieces.map((delta, at) => ({ type, item_id: 'i', output_index: 0, sequence_number: at, ...more, delta })),
    {
      type: 'response.completed',
      response: { id: 'r', object: 'response', model: 'm', status: 'completed', output: [] },
    },
  ]);

/** @param {(piece: string) => unknown} part @param {string} piece */
const gemini = (part, piece) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [part(piece)] } }],
  modelVersion: 'm',
});

/** @param {Record<string, string>} headers @param {Buffer} payload */
function eventFrame(headers, payload) {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return [Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)];
    }),
  );
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + head.length + payload.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([prelude, checksum(prelude), head, payload]);
  return Buffer.concat([start, checksum(start)]);
}

/** @param {Buffer} bytes */
function checksum(bytes) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** @param {string} type @param {unknown} value */
const converse = (type, value) =>
  eventFrame(
    { ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' },
    Buffer.from(JSON.stringify(value)),
  );
/** @param {unknown} value */
const invoke = (value) =>
  eventFrame(
    { ':message-type': 'event', ':event-type': 'chunk', ':content-type': 'application/json' },
    Buffer.from(JSON.stringify({ bytes: Buffer.from(JSON.stringify(value)).toString('base64') })),
  );

const CHAT = {
  api: 'openai',
  path: '/chat/completions',
  type: 'text/event-stream',
  request: { model: 'm', stream: true, messages: MESSAGES },
};
const MESSAGE = {
  api: 'anthropic',
  path: '/v1/messages',
  type: 'text/event-stream',
  request: { model: 'm', max_tokens: 9, stream: true, messages: MESSAGES },
};
const RESPONSE = {
  api: 'openai',
  path: '/responses',
  type: 'text/event-stream',
  request: { model: 'm', stream: true, input: 'go' },
};
const GEMINI = {
  api: 'gemini',
  path: '/v1beta/models/m:streamGenerateContent?alt=sse',
  type: 'text/event-stream',
  request: { contents: [{ role: 'user', parts: [{ text: 'go' }] }] },
};
const OLLAMA = {
  api: 'ollama',
  path: '/api/chat',
  type: 'application/x-ndjson',
  request: { model: 'm', stream: true, messages: MESSAGES },
};
const BEDROCK = {
  api: 'bedrock',
  type: 'application/vnd.amazon.eventstream',
  request: { messages: [{ role: 'user', content: [{ text: 'go' }] }] },
};
const GENERATE = { model: 'm', prompt: 'go', stream: true };
const COHERE = {
  api: 'cohere',
  path: '/v2/chat',
  type: 'text/event-stream',
  request: { model: 'm', stream: true, messages: MESSAGES },
};
const OTHER = { api: 'other', path: '/stream', request: { ask: 'go' } };
const TOOL = { type: 'tool_use', id: 't', name: 'login', input: {} };

/** @type {Record<string, Stream>} */
export const STREAMS = {
  'openai content': { ...CHAT, write: openai((content) => ({ content })) },
  'openai reasoning': { ...CHAT, write: openai((reasoning_content) => ({ reasoning_content })) },
  'openai tool arguments': {
    ...CHAT,
    write: openai((text, at) => ({
      tool_calls: [
        {
          index: 0,
          ...(at === 0 && { id: 't', type: 'function' }),
          function: { ...(at === 0 && { name: 'login' }), arguments: text },
        },
      ],
    })),
  },
  'openai second choice': { ...CHAT, write: openai((content) => ({ content }), 1) },
  'openai refusal': { ...CHAT, write: openai((refusal) => ({ refusal })) },
  'anthropic text': {
    ...MESSAGE,
    write: anthropic({ type: 'text', text: '' }, (text) => ({ type: 'text_delta', text })),
  },
  'anthropic thinking': {
    ...MESSAGE,
    write: anthropic({ type: 'thinking', thinking: '' }, (thinking) => ({ type: 'thinking_delta', thinking })),
  },
  'anthropic tool arguments': {
    ...MESSAGE,
    write: anthropic(TOOL, (partial_json) => ({ type: 'input_json_delta', partial_json })),
  },
  'responses text': { ...RESPONSE, write: responses('response.output_text.delta', { content_index: 0 }) },
  'responses reasoning': {
    ...RESPONSE,
    write: responses('response.reasoning_summary_text.delta', { summary_index: 0 }),
  },
  'responses tool arguments': { ...RESPONSE, write: responses('response.function_call_arguments.delta', {}) },
  'gemini text': { ...GEMINI, write: (pieces) => sse(pieces.map((piece) => gemini((text) => ({ text }), piece))) },
  'gemini thought': {
    ...GEMINI,
    write: (pieces) => sse(pieces.map((piece) => gemini((text) => ({ text, thought: true }), piece))),
  },
  'gemini array': {
    ...GEMINI,
    path: '/v1beta/models/m:streamGenerateContent',
    type: 'application/json',
    write: (pieces) =>
      Buffer.from(
        JSON.stringify(
          pieces.map((piece) => gemini((text) => ({ text }), piece)),
          null,
          1,
        ),
      ),
  },
  'ollama content': {
    ...OLLAMA,
    write: (pieces) =>
      lines([
        ...pieces.map((content) => ({ model: 'm', message: { role: 'assistant', content }, done: false })),
        { model: 'm', message: { role: 'assistant', content: '' }, done: true },
      ]),
  },
  'ollama thinking': {
    ...OLLAMA,
    write: (pieces) =>
      lines([
        ...pieces.map((thinking) => ({
          model: 'm',
          message: { role: 'assistant', content: '', thinking },
          done: false,
        })),
        { model: 'm', message: { role: 'assistant', content: 'x' }, done: true },
      ]),
  },
  'bedrock converse': {
    ...BEDROCK,
    path: '/model/m/converse-stream',
    write: (pieces) =>
      Buffer.concat([
        converse('messageStart', { role: 'assistant' }),
        ...pieces.map((text) => converse('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
        converse('messageStop', { stopReason: 'end_turn' }),
      ]),
  },
  'bedrock invoke': {
    ...BEDROCK,
    path: '/model/m/invoke-with-response-stream',
    write: (pieces) =>
      Buffer.concat(
        pieces.map((text) => invoke({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      ),
  },
  'cohere text': {
    ...COHERE,
    write: (pieces) =>
      namedSse([
        { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } },
        ...pieces.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
        { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
      ]),
  },
  'cohere thinking': {
    ...COHERE,
    write: (pieces) =>
      namedSse([
        { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } },
        ...pieces.map((thinking) => ({
          type: 'content-delta',
          index: 0,
          delta: { message: { content: { thinking } } },
        })),
        { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
      ]),
  },
  'cohere tool arguments': {
    ...COHERE,
    write: (pieces) =>
      namedSse([
        {
          type: 'tool-call-start',
          index: 0,
          delta: { message: { tool_calls: { id: 't', type: 'function', function: { name: 'login', arguments: '' } } } },
        },
        ...pieces.map((text) => ({
          type: 'tool-call-delta',
          index: 0,
          delta: { message: { tool_calls: { function: { arguments: text } } } },
        })),
        { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
      ]),
  },
  'cohere v1': {
    ...COHERE,
    path: '/v1/chat',
    type: 'application/stream+json',
    request: { model: 'm', stream: true, message: 'go' },
    write: (pieces) =>
      lines([
        { event_type: 'stream-start', generation_id: 'g', is_finished: false },
        ...pieces.map((text) => ({ event_type: 'text-generation', text, is_finished: false })),
        { event_type: 'stream-end', finish_reason: 'COMPLETE', is_finished: true },
      ]),
  },
  'openai audio transcript': { ...CHAT, write: openai((transcript) => ({ audio: { id: 'a', transcript } })) },
  'openai function call': { ...CHAT, write: openai((text) => ({ function_call: { arguments: text } })) },
  'openai choices by turns': {
    ...CHAT,
    write: (pieces) =>
      sse(
        pieces.flatMap((piece) =>
          [piece, 'word '].map((content, index) => ({
            id: 'c',
            object: 'chat.completion.chunk',
            model: 'm',
            choices: [{ index, delta: { content } }],
          })),
        ),
        ['[DONE]'],
      ),
  },
  'openai calls by turns': {
    ...CHAT,
    write: (pieces) =>
      sse(
        pieces.flatMap((piece, at) =>
          [piece, 'x'].map((text, index) => ({
            id: 'c',
            object: 'chat.completion.chunk',
            model: 'm',
            choices: [
              {
                index: 0,
                delta: {
                  tool_calls: [
                    {
                      index,
                      ...(at === 0 && { id: `t${index}`, type: 'function' }),
                      function: { ...(at === 0 && { name: 'login' }), arguments: text },
                    },
                  ],
                },
              },
            ],
          })),
        ),
        ['[DONE]'],
      ),
  },
  'openai content in gzip': {
    ...CHAT,
    encoding: 'gzip',
    write: (pieces) => gzipSync(openai((content) => ({ content }))(pieces)),
  },
  'mistral thinking': {
    ...CHAT,
    write: openai((text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })),
  },
  'anthropic text in gzip': {
    ...MESSAGE,
    encoding: 'gzip',
    write: (pieces) =>
      gzipSync(anthropic({ type: 'text', text: '' }, (text) => ({ type: 'text_delta', text }))(pieces)),
  },
  'anthropic completion': {
    ...MESSAGE,
    path: '/v1/complete',
    request: { ...GENERATE, max_tokens_to_sample: 9 },
    write: (pieces) =>
      namedSse(pieces.map((text) => ({ type: 'completion', completion: text, stop_reason: null, model: 'm' }))),
  },
  'openai completion': {
    ...CHAT,
    path: '/completions',
    request: GENERATE,
    write: (pieces) =>
      sse(
        pieces.map((text) => ({ id: 'c', object: 'text_completion', model: 'm', choices: [{ index: 0, text }] })),
        ['[DONE]'],
      ),
  },
  'ollama generate': {
    ...OLLAMA,
    path: '/api/generate',
    request: GENERATE,
    write: (pieces) =>
      lines([
        ...pieces.map((response) => ({ model: 'm', response, done: false })),
        { model: 'm', response: '', done: true },
      ]),
  },
  'responses refusal': { ...RESPONSE, write: responses('response.refusal.delta', { content_index: 0 }) },
  'responses full reasoning': { ...RESPONSE, write: responses('response.reasoning_text.delta', { content_index: 0 }) },
  'responses MCP arguments': { ...RESPONSE, write: responses('response.mcp_call_arguments.delta', {}) },
  'responses custom tool input': { ...RESPONSE, write: responses('response.custom_tool_call_input.delta', {}) },
  'responses code': { ...RESPONSE, write: responses('response.code_interpreter_call_code.delta', {}) },
  assistants: {
    ...CHAT,
    path: '/threads/runs',
    request: { assistant_id: 'a', stream: true, thread: { messages: MESSAGES } },
    write: (pieces) =>
      Buffer.from(
        pieces
          .map((value) => ({
            id: 'm',
            object: 'thread.message.delta',
            delta: { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] },
          }))
          .map((value) => `event: thread.message.delta\ndata: ${JSON.stringify(value)}\n\n`)
          .join(''),
      ),
  },
  'gemini code assist': {
    ...GEMINI,
    path: '/v1internal:streamGenerateContent?alt=sse',
    request: { model: 'm', request: GEMINI.request },
    write: (pieces) => sse(pieces.map((piece) => ({ response: gemini((text) => ({ text }), piece) }))),
  },
  'gemini interactions': {
    ...GEMINI,
    path: '/v1beta/interactions',
    request: { model: 'm', stream: true, input: 'go' },
    write: (pieces) =>
      sse([
        { event_type: 'interaction.created', interaction: { id: 'i', object: 'interaction' } },
        { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
        ...pieces.map((text) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } })),
        { event_type: 'step.stop', index: 0 },
      ]),
  },
  'bedrock tool arguments': {
    ...BEDROCK,
    path: '/model/m/converse-stream',
    write: (pieces) =>
      Buffer.concat([
        converse('messageStart', { role: 'assistant' }),
        converse('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'login' } } }),
        ...pieces.map((input) =>
          converse('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input } } }),
        ),
        converse('messageStop', { stopReason: 'tool_use' }),
      ]),
  },
  'bedrock reasoning': {
    ...BEDROCK,
    path: '/model/m/converse-stream',
    write: (pieces) =>
      Buffer.concat([
        ...pieces.map((text) =>
          converse('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text } } }),
        ),
        converse('messageStop', { stopReason: 'end_turn' }),
      ]),
  },
  'bedrock invoke tool arguments': {
    ...BEDROCK,
    path: '/model/m/invoke-with-response-stream',
    write: (pieces) =>
      Buffer.concat(
        pieces.map((partial_json) =>
          invoke({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
        ),
      ),
  },
  'MCP notifications': {
    ...OTHER,
    path: '/mcp',
    type: 'text/event-stream',
    request: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'login', arguments: {} } },
    write: (pieces) =>
      sse([
        ...pieces.map((data) => ({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data },
        })),
        { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } },
      ]),
  },
  'UI messages': {
    ...OTHER,
    type: 'text/event-stream',
    write: (pieces) =>
      sse([
        { type: 'text-start', id: '0' },
        ...pieces.map((delta) => ({ type: 'text-delta', id: '0', delta })),
        { type: 'text-end', id: '0' },
      ]),
  },
  'unknown events with CRLF': {
    ...OTHER,
    type: 'text/event-stream',
    write: (pieces) =>
      Buffer.from(pieces.map((word, at) => `id: ${at}\r\ndata: ${JSON.stringify({ word })}\r\n\r\n`).join('')),
  },
  'unknown list': {
    ...OTHER,
    type: 'application/json',
    write: (pieces) => Buffer.from(JSON.stringify(pieces.map((bit, at) => ({ at, bit })))),
  },
  'unknown events': {
    ...OTHER,
    type: 'text/event-stream',
    write: (pieces) => sse(pieces.map((word) => ({ kind: 'word', word }))),
  },
  'unknown events of plain text': {
    ...OTHER,
    type: 'text/event-stream',
    write: (pieces) => Buffer.from(pieces.map((piece) => `data: ${piece}\n\n`).join('')),
  },
  'unknown lines': {
    ...OTHER,
    type: 'application/x-ndjson',
    write: (pieces) => lines(pieces.map((bit, at) => ({ at, bit }))),
  },
  'lines of a data stream': {
    ...OTHER,
    type: 'text/plain; charset=utf-8',
    write: (pieces) => Buffer.from(pieces.map((piece) => `0:${JSON.stringify(piece)}\n`).join('')),
  },
};

/** @param {Stream} stream @returns {Record<string, string>} */
export function streamHeaders({ type, encoding }) {
  return { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) };
}
