import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/json/json';
import type { HttpBody } from '../../../../src/core/model/http';
import { editResponse } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import {
  base64Body,
  chunkBody,
  cutAt,
  eventStream,
  jsonBody,
  ndjson,
  post,
  sse,
  textBody,
  typedSse,
} from '../exchanges';

/** The content of a generated response. */
interface GeneratedContent {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
}

/** The server side of a protocol: writes the same response unstreamed and streamed. */
interface Server {
  readonly name: string;
  readonly url: string;
  unstreamed(content: GeneratedContent): HttpBody;
  stream(content: GeneratedContent, cut: (text: string) => readonly string[]): HttpBody;
}

const chat: Server = {
  name: 'OpenAI Chat Completions',
  url: '/v1/chat/completions',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      model: 'm',
      choices: [
        {
          message: {
            reasoning_content: reasoning,
            content: text,
            tool_calls: calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: args },
            })),
          },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const delta = (fields: Json) => ({
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ index: 0, delta: fields }],
    });
    const call = (fields: Json) => delta({ tool_calls: [fields] });
    return textBody(
      sse(
        delta({ role: 'assistant', content: '' }),
        ...cut(reasoning).map((piece) => delta({ reasoning_content: piece })),
        ...cut(text).map((piece) => delta({ content: piece })),
        ...calls.flatMap(({ id, name, args }, index) => [
          call({ index, id, type: 'function', function: { name, arguments: '' } }),
          ...cut(args).map((piece) => call({ index, function: { arguments: piece } })),
        ]),
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
        '[DONE]',
      ),
    );
  },
};

/** `repeats`: whether the last event repeats the whole response, as it does at OpenAI. */
function responses(repeats: boolean): Server {
  const items = ({ reasoning, text, calls }: GeneratedContent): Json[] => [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }]),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    ...calls.map(({ id, name, args }) => ({ type: 'function_call', call_id: id, name, arguments: args })),
  ];
  const response = (output: readonly Json[]) => ({ object: 'response', status: 'completed', model: 'm', output });
  return {
    name: `OpenAI Responses, ${repeats ? 'repeated at the end' : 'only in pieces'}`,
    url: '/v1/responses',
    unstreamed: (content) => jsonBody(response(items(content))),
    stream: (content, cut) => {
      const at = content.reasoning === '' ? 0 : 1;
      return textBody(
        sse(
          { type: 'response.created', response: { object: 'response', status: 'in_progress', model: 'm', output: [] } },
          ...(at === 0
            ? []
            : [{ type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } }]),
          ...cut(content.reasoning).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            output_index: 0,
            summary_index: 0,
            delta,
          })),
          {
            type: 'response.output_item.added',
            output_index: at,
            item: { type: 'message', role: 'assistant', content: [] },
          },
          ...cut(content.text).map((delta) => ({
            type: 'response.output_text.delta',
            output_index: at,
            content_index: 0,
            delta,
          })),
          ...content.calls.flatMap(({ id, name, args }, index) => [
            {
              type: 'response.output_item.added',
              output_index: at + 1 + index,
              item: { type: 'function_call', call_id: id, name, arguments: '' },
            },
            ...cut(args).map((delta) => ({
              type: 'response.function_call_arguments.delta',
              output_index: at + 1 + index,
              delta,
            })),
          ]),
          { type: 'response.completed', response: response(repeats ? items(content) : []) },
        ),
      );
    },
  };
}

const anthropic: Server = {
  name: 'Anthropic Messages',
  url: '/v1/messages',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      type: 'message',
      model: 'm',
      content: [
        { type: 'thinking', thinking: reasoning },
        { type: 'text', text },
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args === '' ? {} : args })),
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 2 },
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const start = (index: number, block: Json) => ({ type: 'content_block_start', index, content_block: block });
    const deltas = (index: number, type: string, key: string, whole: string) =>
      cut(whole).map((piece) => ({ type: 'content_block_delta', index, delta: { type, [key]: piece } }));
    return textBody(
      typedSse(
        {
          type: 'message_start',
          message: { type: 'message', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
        },
        start(0, { type: 'thinking', thinking: '' }),
        ...deltas(0, 'thinking_delta', 'thinking', reasoning),
        { type: 'ping' },
        start(1, { type: 'text', text: '' }),
        ...deltas(1, 'text_delta', 'text', text),
        ...calls.flatMap(({ id, name, args }, index) => [
          start(2 + index, { type: 'tool_use', id, name, input: {} }),
          ...deltas(2 + index, 'input_json_delta', 'partial_json', args),
        ]),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ),
    );
  },
};

const converse: Server = {
  name: 'Bedrock Converse',
  url: '/model/m/converse',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      output: {
        message: {
          content: [
            { reasoningContent: { reasoningText: { text: reasoning } } },
            { text },
            ...calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
          ],
        },
      },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const deltas = (contentBlockIndex: number, whole: string, wrap: (piece: string) => Json) =>
      cut(whole).map((piece) => ['contentBlockDelta', { contentBlockIndex, delta: wrap(piece) }] as const);
    return base64Body(
      eventStream(
        ['messageStart', { role: 'assistant' }],
        ...deltas(0, reasoning, (piece) => ({ reasoningContent: { text: piece } })),
        ...deltas(1, text, (piece) => ({ text: piece })),
        ...calls.flatMap(({ id, name, args }, index) => [
          ['contentBlockStart', { contentBlockIndex: 2 + index, start: { toolUse: { toolUseId: id, name } } }] as const,
          ...deltas(2 + index, args, (piece) => ({ toolUse: { input: piece } })),
        ]),
        ['messageStop', { stopReason: 'end_turn' }],
        ['metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }],
      ),
    );
  },
};

const cohere: Server = {
  name: 'Cohere',
  url: '/v2/chat',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      message: {
        content: [
          { type: 'thinking', thinking: reasoning },
          { type: 'text', text },
        ],
        tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
      },
      finish_reason: 'COMPLETE',
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const content = (index: number, fields: Json) => ({
      type: 'content-delta',
      index,
      delta: { message: { content: fields } },
    });
    const call = (type: string, index: number, fields: Json) => ({
      type,
      index,
      delta: { message: { tool_calls: fields } },
    });
    return textBody(
      sse(
        { type: 'message-start', id: 'x' },
        { ...content(0, { type: 'thinking', thinking: '' }), type: 'content-start' },
        ...cut(reasoning).map((thinking) => content(0, { thinking })),
        { ...content(1, { type: 'text', text: '' }), type: 'content-start' },
        ...cut(text).map((piece) => content(1, { text: piece })),
        ...calls.flatMap(({ id, name, args }, index) => [
          call('tool-call-start', index, { id, type: 'function', function: { name, arguments: '' } }),
          ...cut(args).map((piece) => call('tool-call-delta', index, { function: { arguments: piece } })),
        ]),
        { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
      ),
    );
  },
};

/** Gemini and Ollama send tool calls in one piece, as objects. */
const parsed = (args: string): Json => ({ text: args });

const gemini: Server = {
  name: 'Gemini',
  url: '/v1beta/models/m:streamGenerateContent',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      candidates: [
        {
          content: {
            parts: [
              { text: reasoning, thought: true },
              { text },
              ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args: parsed(args) } })),
            ],
          },
          finishReason: 'STOP',
        },
      ],
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const piece = (part: Json) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] });
    return textBody(
      sse(
        ...cut(reasoning).map((thought) => piece({ text: thought, thought: true })),
        ...cut(text).map((delta) => piece({ text: delta })),
        ...calls.map(({ id, name, args }) => piece({ functionCall: { id, name, args: parsed(args) } })),
        { candidates: [{ index: 0, finishReason: 'STOP' }] },
      ),
    );
  },
};

const ollama: Server = {
  name: 'Ollama',
  url: '/api/chat',
  unstreamed: ({ reasoning, text, calls }) =>
    jsonBody({
      message: {
        thinking: reasoning,
        content: text,
        tool_calls: calls.map(({ id, name, args }) => ({ id, function: { name, arguments: parsed(args) } })),
      },
      done: true,
      done_reason: 'stop',
    }),
  stream: ({ reasoning, text, calls }, cut) => {
    const piece = (message: Json) => ({ message, done: false });
    return textBody(
      ndjson(
        piece({ role: 'assistant', content: '' }),
        ...cut(reasoning).map((thinking) => piece({ content: '', thinking })),
        ...cut(text).map((content) => piece({ content })),
        ...calls.map(({ id, name, args }) =>
          piece({ content: '', tool_calls: [{ id, function: { name, arguments: parsed(args) } }] }),
        ),
        { message: { content: '' }, done: true, done_reason: 'stop' },
      ),
    );
  },
};

/** Without reasoning and tool calls, which text generation does not have. */
const textGeneration: Server = {
  name: 'text generation',
  url: '/v1/completions',
  unstreamed: ({ text }) => jsonBody({ model: 'm', choices: [{ index: 0, text, finish_reason: 'stop' }] }),
  stream: ({ text }, cut) =>
    textBody(
      sse(
        ...cut(text).map((piece) => ({ model: 'm', choices: [{ index: 0, text: piece, finish_reason: null }] })),
        { model: 'm', choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
        '[DONE]',
      ),
    ),
};

const servers = [chat, responses(true), responses(false), anthropic, converse, cohere, gemini, ollama, textGeneration];

const words = fc.string({ unit: 'grapheme', maxLength: 30 });
const generatedResponses: fc.Arbitrary<GeneratedContent> = fc.record(
  {
    reasoning: words,
    text: words,
    calls: fc
      .array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), fc.oneof(words, fc.json({ maxDepth: 2 }))), { maxLength: 3 })
      .map((calls) => calls.map(([name, args], index) => ({ id: `call_${index}`, name, args }))),
  },
  { noNullPrototype: true },
);

function edited(url: string, body: HttpBody, text: string): HttpBody {
  const edit = editResponse(post(url, { messages: [], input: 'x' }, body), { type: 'response-text', text });
  assert('body' in edit, 'refused' in edit ? edit.refused : '');
  return edit.body;
}

function responseOf(url: string, body: HttpBody): unknown {
  const { response, problems } = readExchange(post(url, { messages: [], input: 'x' }, body));
  const { chunks: _, ...rest } = response ?? {};
  return { ...rest, content: response?.content ?? '', problems };
}

describe('a streamed response', () => {
  for (const server of servers) {
    it(`equals the unstreamed response: ${server.name}`, () => {
      fc.assert(
        fc.property(generatedResponses, fc.array(fc.nat(30), { maxLength: 4 }), (content, places) => {
          const stream = server.stream(content, (text) => cutAt(text, places));
          assert.deepEqual(responseOf(server.url, stream), responseOf(server.url, server.unstreamed(content)));
        }),
      );
    });
  }

  for (const server of servers) {
    it(`has a text that can be edited, like the unstreamed response: ${server.name}`, () => {
      const texts = fc.tuple(generatedResponses, words, fc.array(fc.nat(30), { maxLength: 4 }));
      fc.assert(
        fc.property(texts, ([content, text, places]) => {
          fc.pre(content.text !== '' && content.text !== content.reasoning);
          const stream = server.stream(content, (piece) => cutAt(piece, places));
          for (const body of [server.unstreamed(content), stream])
            assert.deepEqual(
              responseOf(server.url, edited(server.url, body, text)),
              responseOf(server.url, server.unstreamed({ ...content, text })),
            );
        }),
      );
    });
  }

  it('does not depend on where the network split it', () => {
    fc.assert(
      fc.property(
        generatedResponses,
        fc.constantFrom(chat, anthropic, gemini, ollama, cohere),
        fc.array(fc.nat(2000)),
        (content, server, places) => {
          const stream = server.stream(content, (text) => [text]);
          const text = stream.type === 'text' ? stream.text : '';
          assert.deepEqual(responseOf(server.url, chunkBody(cutAt(text, places))), responseOf(server.url, stream));
        },
      ),
    );
  });
});
