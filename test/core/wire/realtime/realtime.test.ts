import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { HttpExchange } from '../../../../src/core/model/http';
import { createRedactor } from '../../../../src/core/secrets/redactor';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { newTapeFile } from '../../../../src/core/tapes/writableFormat';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { SWITCHED, type Talk, type TalkMessage, talkBody, talkOf } from '../../../../src/core/wire/realtime/talk';

type Event = Record<string, unknown>;

const client = (event: Event): TalkMessage => ({ from: 'client', data: JSON.stringify(event) });
const server = (event: Event): TalkMessage => ({ from: 'server', data: JSON.stringify(event) });

function exchange(talk: Talk, url = 'wss://api.openai.com/v1/responses'): HttpExchange {
  return {
    method: 'GET',
    url,
    requestHeaders: [],
    requestBody: { type: 'none' },
    status: SWITCHED,
    responseHeaders: [],
    responseBody: talkBody(talk),
    ...(talk.close === undefined && { ended: 'reset' as const }),
  };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.json(),
  fc.json().map((json) => JSON.stringify(JSON.parse(json), null, 2)),
  fc.constantFrom('{"a": 1, "b": [1, 2]}', '{"a":1.0}', '[]\n', '{}', 'null', '{"a":', '{"after":1}', '{"client":{}}'),
);
const delayMs = fc.option(fc.nat(5000), { nil: undefined });
const message = fc
  .record({
    from: fc.constantFrom('client' as const, 'server' as const),
    text,
    bytes: fc.uint8Array(),
    isBinary: fc.boolean(),
    delayMs,
  })
  .map(({ from, text: data, bytes, isBinary, delayMs: delay }): TalkMessage => {
    const timed = delay === undefined ? {} : { delayMs: delay };
    return isBinary
      ? { from, data: Buffer.from(bytes).toString('base64'), base64: true, ...timed }
      : { from, data, ...timed };
  });
const close = fc.record(
  {
    from: fc.constantFrom('client' as const, 'server' as const),
    code: fc.integer({ min: 1000, max: 4999 }),
    reason: fc.string({ unit: 'grapheme' }),
  },
  { noNullPrototype: true },
);

describe('the messages of a WebSocket', () => {
  it('are on a tape what they were, to the last character', () => {
    fc.assert(
      fc.property(fc.array(message), fc.option(close, { nil: undefined }), (messages, end) => {
        const talk: Talk = { messages, ...(end && { close: end }) };
        const http = exchange(talk);
        assert.deepEqual(talkOf(http), talk);
        const file = newTapeFile(tapedeckFormat, 'talk', [{ http }], { path: 'a.tape.jsonl' });
        const [read] = tapedeckFormat.read(tapeFileFromText(file.text)).interactions;
        assert.deepEqual(read?.http && talkOf(read.http), talk);
      }),
    );
  });

  it('are a conversation with Responses, whose later requests only say what is new', () => {
    const done = (id: string, content: string, tokens: number) =>
      server({
        type: 'response.completed',
        response: {
          id,
          object: 'response',
          status: 'completed',
          model: 'gpt-5-2026',
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] }],
          usage: { input_tokens: tokens, output_tokens: 1, total_tokens: tokens + 1 },
        },
      });
    const { kind, api, request, response } = readExchange(
      exchange({
        messages: [
          client({ type: 'response.create', model: 'gpt-5', instructions: 'Be brief.', input: 'hello' }),
          server({ type: 'response.output_text.delta', output_index: 0, delta: 'Hi' }),
          done('resp_1', 'Hi.', 10),
          client({ type: 'response.create', model: 'gpt-5', previous_response_id: 'resp_1', input: 'again' }),
          done('resp_2', 'Hi again.', 20),
        ],
        close: { from: 'client', code: 1000, reason: '' },
      }),
    );
    assert.deepEqual([kind, api, request?.model], ['llm', 'openai-responses', 'gpt-5']);
    assert.deepEqual(
      request?.messages.map(({ role, content }) => `${role}: ${content}`),
      ['system: Be brief.', 'user: hello', 'assistant: Hi.', 'user: again'],
    );
    assert.deepEqual(
      [response?.content, response?.usage?.totalTokens, response?.model],
      ['Hi again.', 32, 'gpt-5-2026'],
    );
  });

  it('are told in few words where they are no conversation', () => {
    const talk = {
      messages: [client({ a: 1 }), server({ b: 2 })],
      close: { from: 'server', code: 1011, reason: 'no' },
    } as const;
    const { kind, summary } = readExchange(exchange(talk, 'wss://example.com/socket'));
    assert.deepEqual([kind, summary], ['http', 'WebSocket, 2 messages, closed with 1011 no']);
  });

  it('that end before the response, by the server, are an error of it', () => {
    const messages = [
      client({
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      }),
      client({ type: 'response.create' }),
      server({ type: 'response.created', response: {} }),
    ];
    const read = (talk: Talk) => readExchange(exchange(talk, 'wss://x/v1/realtime?model=m')).response?.error;
    assert.equal(
      read({ messages, close: { from: 'server', code: 1011, reason: 'boom' } }),
      'the connection was closed: 1011 boom',
    );
    assert.equal(read({ messages, close: { from: 'client', code: 1000, reason: '' } }), undefined);
  });
});

const KEY = 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

describe('secrets in the messages of a WebSocket', () => {
  const redactor = createRedactor({ values: [KEY], environments: [], proxies: [], patterns: [] });
  const hidden = (...messages: TalkMessage[]): Talk | undefined => {
    const clean = redactor.exchange(exchange({ messages, close: { from: 'client', code: 1000, reason: '' } }));
    return clean && talkOf(clean.exchange);
  };

  it('are hidden in texts and in binary messages of either end, which stay messages', () => {
    const binary = { from: 'server', data: Buffer.from(`key=${KEY}`).toString('base64'), base64: true } as const;
    const talk = hidden(client({ a: KEY }), server({ b: `x ${KEY} y` }), binary, { from: 'client', data: KEY });
    const all = JSON.stringify(
      talk?.messages.map(({ data, base64 }) => (base64 ? Buffer.from(data, 'base64').toString() : data)),
    );
    assert.equal(talk?.messages.length, 4);
    assert.ok(!all.includes(KEY.slice(8, 20)), all);
    assert.equal(talk?.close?.code, 1000);
  });

  it('are hidden where they are spread over messages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: KEY.length - 1 }), fc.integer({ min: 1, max: 6 }), (at, more) => {
        const pieces = [KEY.slice(0, at), KEY.slice(at, at + more), KEY.slice(at + more)].filter(Boolean);
        const spoken = pieces.map((delta) => server({ type: 'response.output_text.delta', response_id: 'r', delta }));
        const typed = pieces.map((piece) => client({ text: piece }));
        const said = (talk: Talk | undefined, from: string, member: string) =>
          (talk?.messages ?? [])
            .filter((one) => one.from === from)
            .map(({ data }) => (JSON.parse(data) as Record<string, string>)[member])
            .join('');
        const talk = hidden(server({ type: 'response.created', response: {} }), ...spoken, ...typed);
        assert.ok(!said(talk, 'server', 'delta').includes(KEY), 'server');
        assert.ok(!said(talk, 'client', 'text').includes(KEY), 'client');
      }),
    );
  });

  it('are hidden beside audio, which stays as it is', () => {
    const audio = Buffer.alloc(900, 7).toString('base64');
    const talk = hidden(
      client({ type: 'input_audio_buffer.append', audio, note: KEY }),
      server({ type: 'response.output_audio.delta', delta: audio, note: KEY }),
      client({ type: 'input_audio_buffer.append', audio }),
    );
    const all = (talk?.messages ?? []).map(({ data }) => data);
    assert.deepEqual(
      all.map((data) => data.includes(audio)),
      [true, true, true],
    );
    assert.ok(!all.join('').includes(KEY.slice(8, 20)));
  });

  it('do not take the next message of a client with them', () => {
    const item = (said: string) => client({ type: 'conversation.item.create', item: { content: [{ text: said }] } });
    const talk = hidden(item(`my key is ${KEY}`), item('again'));
    assert.match(talk?.messages[1]?.data ?? '', /"again"/);
  });
});
