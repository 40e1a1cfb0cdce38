import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { base64Body, eventStream, ndjson, post, sse, textBody, typedSse } from '../exchanges';

const MESSAGES = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const VERSION_1 = { model: 'm', message: 'Hi' };
const chunk = (content: string, reason: string | null = null): Json => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content }, finish_reason: reason }],
});
const part = (text: string, finish: Json = {}): Json => ({
  candidates: [{ content: { parts: [{ text }] }, ...(finish as object) }],
});
const codeAssist = (text: string, finish: Json = {}): Json => ({ response: part(text, finish) });

/** Of each protocol: where it is served, how a stream is framed, and its events, the last of which ends it. */
const STREAMS: readonly (readonly [string, string, (events: readonly Json[]) => string, readonly Json[]])[] = [
  [
    'openai-chat',
    'https://api.openai.com/v1/chat/completions',
    (events) => sse(...events),
    [chunk('a'), chunk('b', 'stop')],
  ],
  [
    'openai-chat without a finish reason',
    'https://api.example.com/v1/chat/completions',
    (events) => sse(...events),
    [chunk('a'), '[DONE]'],
  ],
  [
    'openai-responses',
    'https://api.openai.com/v1/responses',
    (events) => sse(...events),
    [
      { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'a' },
      { type: 'response.completed', response: { object: 'response', status: 'completed', output: [] } },
    ],
  ],
  [
    'anthropic-messages',
    'https://api.anthropic.com/v1/messages',
    (events) => typedSse(...(events as { type: string }[])),
    [
      { type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 1 } } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
  ],
  [
    'gemini',
    'https://g.example.com/v1beta/models/m:streamGenerateContent?alt=sse',
    (events) => sse(...events),
    [part('a'), part('b', { finishReason: 'STOP' })],
  ],
  [
    'gemini as a list',
    'https://g.example.com/v1beta/models/m:streamGenerateContent',
    (events) => JSON.stringify(events),
    [part('a'), part('b', { finishReason: 'STOP' })],
  ],
  [
    'gemini-code-assist',
    'https://c.example.com/v1internal:streamGenerateContent?alt=sse',
    (events) => sse(...events),
    [codeAssist('a'), codeAssist('b', { finishReason: 'STOP' })],
  ],
  [
    'ollama',
    'http://localhost:11434/api/chat',
    (events) => ndjson(...events),
    [
      { message: { role: 'assistant', content: 'a' }, done: false },
      { message: { role: 'assistant', content: 'b' }, done: false },
      { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ],
  ],
  [
    'cohere v2',
    'https://api.cohere.com/v2/chat',
    (events) => sse(...events),
    [
      { type: 'message-start', delta: { message: { role: 'assistant' } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'a' } } } },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ],
  ],
  [
    'cohere v1',
    'https://api.cohere.com/v1/chat',
    (events) => ndjson(...events),
    [
      { event_type: 'stream-start', generation_id: 'g' },
      { event_type: 'text-generation', text: 'a' },
      { event_type: 'stream-end', finish_reason: 'COMPLETE', response: { text: 'a', generation_id: 'g' } },
    ],
  ],
];

function read(url: string, body: string) {
  return readExchange(post(url, url.endsWith('cohere.com/v1/chat') ? VERSION_1 : MESSAGES, textBody(body)));
}

const EARLY = /^The recorded stream ends early/;

describe('a recorded stream that ends early', () => {
  for (const [name, url, frame, events] of STREAMS) {
    it(`of ${name} is a defect wherever it was cut, and none where it is complete`, () => {
      const whole = read(url, frame(events));
      assert.deepEqual([whole.response?.endedEarly, whole.problems], [undefined, []]);
      for (let kept = 1; kept < events.length; kept += 1) {
        const { response, problems } = read(url, frame(events.slice(0, kept)));
        assert.equal(response?.endedEarly, true, `${kept} events`);
        assert.ok(
          problems.some(({ message, part: side, isDefect }) => EARLY.test(message) && side === 'response' && isDefect),
        );
      }
    });

    it(`of ${name} is a defect where it was cut inside of a frame`, () => {
      const body = frame(events);
      const last = body.lastIndexOf(JSON.stringify(events.at(-1)).slice(1, 7));
      assert.equal(read(url, body.slice(0, last + 3)).response?.endedEarly, true);
    });
  }

  it('of Bedrock is a defect', () => {
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream';
    const events: [string, Json][] = [
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'a' } }],
      ['messageStop', { stopReason: 'end_turn' }],
    ];
    const early = (count: number, bytes = Number.POSITIVE_INFINITY) =>
      readExchange(post(url, MESSAGES, base64Body(eventStream(...events.slice(0, count)).slice(0, bytes)))).response
        ?.endedEarly;
    assert.deepEqual([early(3), early(2), early(3, eventStream(...events).length - 3)], [undefined, true, true]);
  });

  it('is told as it was recorded where the recorder knew why', () => {
    const body = textBody(sse(chunk('a')));
    const { problems } = readExchange({
      ...post('https://x.example.com/v1/chat/completions', MESSAGES, body),
      ended: 'reset',
    });
    assert.deepEqual(problems, [
      { part: 'response', message: 'The recorded stream ends early: the connection was reset.' },
    ]);
  });

  it('is none where the stream reports an error', () => {
    const { response } = read(
      'https://api.openai.com/v1/chat/completions',
      sse(chunk('a'), { error: { message: 'overloaded' } }),
    );
    assert.deepEqual([response?.error, response?.endedEarly], ['overloaded', undefined]);
  });
});
