import assert from 'node:assert/strict';
import type { HttpExchange } from '../../../src/core/model/http';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { bodyFromBytes } from '../../../src/core/wire/body/body';
import { type EventMessage, writeEventStream } from '../../../src/core/wire/body/eventStream';
import { readExchange } from '../../../src/core/wire/read/readExchange';

const KEY = `sk-proj-${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'}`;
const VALUE = 'corr3ct/Horse"Battery+Staple';
const TEXT = `it is ${KEY}, and ${VALUE}. Done`;
const CLEAN = 'it is [redacted:openai-key], and [redacted]. Done';

type Frames = (pieces: readonly string[]) => readonly unknown[];

const choice = (delta: object, index = 0) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index, delta }],
});
const call = (args: string) =>
  choice({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: args } }] });
const block = (delta: object, index = 0) => ({ type: 'content_block_delta', index, delta });
const item = (type: string, delta: string) => ({ type, output_index: 0, content_index: 0, item_id: 'i', delta });

const interleaved = (pieces: readonly string[]): unknown[] =>
  pieces.flatMap((piece, at) => [
    choice({ content: `${at} is the other choice's piece, ` }),
    choice({ content: piece }, 1),
  ]);

/** Where a stream may say something, by protocol: the frames that say it in pieces. */
const streams: Readonly<Record<string, Frames>> = {
  'chat text': (pieces) => pieces.map((content) => choice({ content })),
  'chat reasoning': (pieces) => pieces.map((reasoning_content) => choice({ reasoning_content })),
  'chat reasoning of OpenRouter': (pieces) => pieces.map((reasoning) => choice({ reasoning })),
  'chat refusals': (pieces) => pieces.map((refusal) => choice({ refusal })),
  'chat calls': (pieces) => pieces.map(call),
  'chat second choices': interleaved,
  completions: (pieces) => pieces.map((text) => ({ object: 'text_completion', choices: [{ index: 0, text }] })),
  'anthropic text': (pieces) => pieces.map((text) => block({ type: 'text_delta', text })),
  'anthropic thinking': (pieces) => pieces.map((thinking) => block({ type: 'thinking_delta', thinking })),
  'anthropic input': (pieces) => pieces.map((partial_json) => block({ type: 'input_json_delta', partial_json })),
  'anthropic text that begins with its block': ([first = '', ...pieces]) => [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: first } },
    ...pieces.map((text) => block({ type: 'text_delta', text })),
  ],
  'anthropic blocks in turn': (pieces) =>
    pieces.flatMap((text, at) => [
      block({ type: 'text_delta', text: `other ${at} ` }, 1),
      block({ type: 'text_delta', text }, 0),
    ]),
  'responses text': (pieces) => pieces.map((delta) => item('response.output_text.delta', delta)),
  'responses reasoning': (pieces) => pieces.map((delta) => item('response.reasoning_summary_text.delta', delta)),
  'responses arguments': (pieces) => pieces.map((delta) => item('response.function_call_arguments.delta', delta)),
  'responses refusal': (pieces) => pieces.map((delta) => item('response.refusal.delta', delta)),
  'gemini text': (pieces) =>
    pieces.map((text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' } }] })),
  'gemini thoughts': (pieces) =>
    pieces.map((text) => ({ candidates: [{ content: { parts: [{ text, thought: true }] } }] })),
  'gemini interactions': (pieces) =>
    pieces.map((text) => ({ event_type: 'content.delta', index: 0, delta: { type: 'text', text } })),
  'ollama content': (pieces) =>
    pieces.map((content) => ({ model: 'm', message: { role: 'assistant', content }, done: false })),
  'ollama thinking': (pieces) =>
    pieces.map((thinking) => ({ model: 'm', message: { role: 'assistant', content: '', thinking } })),
  'ollama responses': (pieces) => pieces.map((response) => ({ model: 'm', response, done: false })),
  'cohere text': (pieces) =>
    pieces.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
  'cohere calls': (pieces) =>
    pieces.map((args) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: args } } } },
    })),
  'cohere version 1': (pieces) => pieces.map((text) => ({ event_type: 'text-generation', text })),
  'bedrock text': (pieces) => pieces.map((text) => ({ contentBlockIndex: 0, delta: { text } })),
  assistants: (pieces) =>
    pieces.map((value) => ({
      id: 'm',
      object: 'thread.message.delta',
      delta: { content: [{ index: 0, type: 'text', text: { value } }] },
    })),
  'a protocol nobody knows': (pieces) => pieces.map((w, at) => ({ seq: at, a: { b: [{ w }] } })),
  'plain data': (pieces) => pieces,
  'interface messages': (pieces) => pieces.map((delta) => ({ type: 'text-delta', id: '0', delta })),
};

/** A text in pieces of `size` characters, or of sizes that vary from 1 to 9. */
function inPieces(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = size === 0 ? 1 + ((at * 7) % 9) : size;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const sse = (frames: readonly unknown[]): string =>
  frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('');
const ndjson = (frames: readonly unknown[]): string => frames.map((frame) => `${JSON.stringify(frame)}\n`).join('');
const array = (frames: readonly unknown[]): string => `[${frames.map((frame) => JSON.stringify(frame)).join(',\n')}]`;
const adjacent = (frames: readonly unknown[]): string => frames.map((frame) => JSON.stringify(frame)).join('');
const prefixed = (frames: readonly unknown[]): string => frames.map((frame) => `0:${JSON.stringify(frame)}\n`).join('');

/** All strings of a stream under each name, joined: what somebody who has the file can read from it. */
function readable(text: string): string {
  const names = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/(?:"(\w+)":\s*|^\w+:)"((?:[^"\\]|\\.)*)"/gm))
    names.set(name, `${names.get(name) ?? ''}${JSON.parse(`"${value}"`) as string}`);
  const data = Array.from(text.matchAll(/^data: ?([^{\n]*)$/gm), ([, line = '']) => line).join('');
  return `${[...names.values()].join('\n')}\n${data}`;
}

const redactor = createRedactor({ values: [VALUE] });
const headers = [['content-type', 'text/event-stream']] as const;
const redacted = (text: string): string => Buffer.from(redactor.body(Buffer.from(text), headers) ?? []).toString();

describe('secrets in the pieces of a stream', () => {
  for (const [name, frames] of Object.entries(streams)) {
    it(`are hidden in ${name}`, () => {
      for (const write of name === 'plain data' ? [sse] : [sse, ndjson, array]) {
        for (let size = 0; size <= 9; size += 1) {
          const text = write(frames(inPieces(TEXT, size)));
          const clean = redacted(text);
          for (const secret of [KEY, VALUE])
            assert.ok(!readable(clean).includes(secret.slice(0, -4)), `${write.name} ${size}: ${clean}`);
          if (!/choices|turn/.test(name)) assert.ok(readable(clean).includes(CLEAN), `${write.name} ${size}: ${clean}`);
          assert.equal(redacted(clean), clean, `${write.name} ${size}`);
        }
      }
    });
  }

  it('are hidden in JSON texts without anything between them, and in lines with a prefix', () => {
    for (let size = 1; size <= 9; size += 1) {
      const pieces = inPieces(TEXT, size);
      for (const text of [adjacent(pieces.map((t) => ({ t }))), prefixed(pieces)]) {
        const clean = redacted(text);
        assert.ok(readable(clean).includes(CLEAN), clean);
        assert.equal(redacted(clean), clean);
      }
    }
  });

  it('are hidden in event streams of Amazon, also in the frames of a model', () => {
    for (let size = 1; size <= 9; size += 1) {
      const payloads = inPieces(TEXT, size).map((text) => JSON.stringify({ contentBlockIndex: 0, delta: { text } }));
      const message = (payload: string): EventMessage => ({
        headers: [[':event-type', { type: 'string', value: 'chunk' }]],
        payload: Buffer.from(payload),
      });
      const wrapped = payloads.map((payload) => JSON.stringify({ bytes: Buffer.from(payload).toString('base64') }));
      for (const written of [payloads, wrapped]) {
        const stream = writeEventStream(written.map(message));
        const clean = redactor.body(stream, [['content-type', 'application/vnd.amazon.eventstream']]);
        assert.ok(clean !== undefined);
        const read = Buffer.from(clean)
          .toString('latin1')
          .replace(/"bytes":"([^"]*)"/g, (_, inner: string) => Buffer.from(inner, 'base64').toString());
        assert.ok(readable(read).includes(CLEAN), read);
      }
    }
  });

  it('are found by the name before them, which came in other pieces', () => {
    const clean = redacted(sse(['{"pass', 'word": "', 'lowercase', '", "a": 1}'].map(call)));
    assert.ok(readable(clean).includes('{"password": "[redacted]", "a": 1}'), clean);
  });

  it('leave no doubt about the exchange: its text and its messages say the same', () => {
    const exchange: HttpExchange = {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      requestHeaders: [],
      requestBody: {
        type: 'text',
        text: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: TEXT }] }),
      },
      status: 200,
      responseHeaders: headers,
      responseBody: bodyFromBytes(Buffer.from(sse([...inPieces(TEXT, 4).map(call), '[DONE]']))),
    };
    const clean = redactor.exchange(exchange);
    assert.equal(clean?.request?.messages[0]?.content, CLEAN);
    assert.equal(clean.response?.toolCalls[0]?.argumentsText, CLEAN);
    assert.equal(readExchange(clean.exchange).response?.toolCalls[0]?.argumentsText, CLEAN);
    assert.ok(!JSON.stringify(clean).includes(KEY.slice(0, 12)));
  });

  it('are hidden in the chunks of messages that were recorded without HTTP', () => {
    const chunks = inPieces(TEXT, 5).map((content) => ({ data: JSON.stringify(choice({ content })) }));
    const clean = redactor.interaction({ response: { content: TEXT, toolCalls: [], chunks } });
    assert.equal(clean?.response?.content, CLEAN);
    assert.equal(readable(clean.response.chunks?.map(({ data }) => data).join('\n') ?? '').includes(CLEAN), true);
  });
});
