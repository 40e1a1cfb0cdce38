import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual } from '../../../../src/core/json/json';
import type { HttpExchange } from '../../../../src/core/model/http';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { convertTape } from '../../../../src/core/tapes/convert';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { tapedeckPieces } from '../../../../src/core/tapes/formats/tapedeck/pieces';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { exchange } from '../chatArbitraries';
import { editAnswer, RUNS, readAs } from '../editing';
import { httpExchange } from '../httpArbitraries';

const write = (...interactions: RecordedInteraction[]): string => tapedeckFormat.serialise('refund', interactions);
const chatCall = (requestText: string, answer: Partial<HttpExchange>): RecordedInteraction => ({
  http: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [['content-type', 'application/json']],
    requestBody: { type: 'text', text: requestText },
    status: 200,
    responseHeaders: [['content-type', 'application/json']],
    responseBody: { type: 'none' },
    ...answer,
  },
});
const said = (role: string, content: string) => ({ role, content });
const body = (messages: unknown[], more: object = {}) => JSON.stringify({ model: 'gpt-4o', messages, ...more });
const answered = (content: string): Partial<HttpExchange> => ({
  responseBody: {
    type: 'text',
    text: JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message: said('assistant', content) }] }),
  },
});
const delta = (content: string): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`;

const requestOf = (http: HttpExchange | undefined) =>
  http && {
    method: http.method,
    url: http.url,
    requestHeaders: http.requestHeaders,
    requestBody: http.requestBody,
  };

/** Reads interactions from the pieces of a text, in the order of `places`. */
const inPieces = (text: string, places: readonly number[]) => {
  const { interactions } = readAs('tapedeck', text);
  assert.ok(tapedeckPieces.fits(interactions));
  const sourceOf = (at: number) => interactions[at]?.source ?? { start: 0, end: 0 };
  const read: number[] = [];
  const tape = tapedeckPieces.read({
    count: interactions.length,
    length: text.length,
    sourceOf,
    textOf: (at) => {
      read.push(at);
      return text.slice(sourceOf(at).start, sourceOf(at).end);
    },
    whole: () => assert.fail('the pieces are enough'),
  });
  const requests = places.map((at) => tape.request?.(at));
  const contents = places.map((at) => tape.interactions[at] && plainInteraction(tape.interactions[at]));
  return { requests, contents, read };
};

describe('the Tapedeck format', () => {
  it('reads interactions by themselves, with those that they refer to', () => {
    const first = body([said('system', 'Be short.'), said('user', 'Where is order 17? It was to come on Monday.')]);
    const other = body([said('user', 'What is the weather like, where you are?')]);
    const last = body([
      said('system', 'Be short.'),
      said('user', 'Where is order 17? It was to come on Monday.'),
      said('user', 'Oh.'),
    ]);
    const text = write(...[first, other, last, last].map((one) => chatCall(one, answered('Lost.'))));
    const { requests, read } = inPieces(text, [3]);
    assert.deepEqual(requests[0]?.requestBody, { type: 'text', text: last });
    assert.deepEqual([...new Set(read)], [3, 2, 0], 'not the one about the weather');
  });

  it('reads each interaction by itself as in the whole', () => {
    fc.assert(
      fc.property(fc.array(httpExchange, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(20)), (exchanges, order) => {
        const text = write(...exchanges.map((http) => ({ http })));
        const { interactions } = readAs('tapedeck', text);
        const places = order.map((at) => at % interactions.length);
        const { requests, contents } = inPieces(text, places);
        assert.deepEqual(
          requests,
          places.map((at) => requestOf(interactions[at]?.http)),
        );
        assert.deepEqual(
          contents,
          places.map((at) => interactions[at] && plainInteraction(interactions[at])),
        );
      }),
      RUNS,
    );
  });

  it('is not read in pieces where its lines are in another order, or numbered otherwise', () => {
    const [header, ...lines] = write(
      chatCall(body([said('user', 'a')]), answered('A')),
      chatCall(body([said('user', 'b')]), answered('B')),
    )
      .trimEnd()
      .split('\n');
    const [first, answer, second, other] = lines;
    const fits = (...all: (string | undefined)[]) =>
      tapedeckPieces.fits(readAs('tapedeck', [header, ...all, ''].join('\n')).interactions);
    assert.ok(fits(first, answer, second, other));
    assert.ok(!fits(first, second, answer, other));
    assert.ok(!fits(second, other, first, answer));
    assert.ok(!fits(second, other));
  });

  it('reads well', () => {
    const question = said('user', 'Where is order 17? It was to come on Monday, and today is Thursday.');
    const first = body([said('system', 'Be short.'), question], { temperature: 1 }).replace(':1}', ':1.0}');
    const second = body([said('system', 'Be short.'), question, said('assistant', 'Lost.'), said('user', 'Oh.')]);
    const stream = {
      responseHeaders: [['content-type', 'text/event-stream'] as const],
      responseBody: {
        type: 'chunks' as const,
        chunks: [
          { data: delta('I am '), delayMs: 412 },
          { data: delta('sor'), delayMs: 20.5 },
        ],
      },
      ended: 'reset' as const,
    };
    const text = write(chatCall(first, answered('Lost.')), chatCall(second, stream), chatCall(second, stream));
    assert.equal(
      text,
      `{"tapedeck":"tape","version":1,"name":"refund"}
{"request":1,"method":"POST","url":"https://api.openai.com/v1/chat/completions","headers":[["content-type","application/json"]],"json":{"model":"gpt-4o","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Where is order 17? It was to come on Monday, and today is Thursday."}],"temperature":1.0}}
{"response":1,"status":200,"headers":[["content-type","application/json"]],"json":{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Lost."}}]}}
{"request":2,"method":"POST","url":"https://api.openai.com/v1/chat/completions","headers":[["content-type","application/json"]],"json":{"model":"gpt-4o","messages":[{"$from":1,"at":0,"count":2},{"role":"assistant","content":"Lost."},{"role":"user","content":"Oh."}]}}
{"response":2,"status":200,"headers":[["content-type","text/event-stream"]],"frames":2,"ended":"reset"}
{"after":412,"data":{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"I am "}}]}}
{"after":20.5,"data":{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"sor"}}]}}
{"request":3,"same":2}
{"response":3,"status":200,"headers":[["content-type","text/event-stream"]],"frames":2,"ended":"reset"}
{"after":412,"data":{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"I am "}}]}}
{"after":20.5,"data":{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"sor"}}]}}
`,
    );
    const tape = readAs('tapedeck', text);
    assert.deepEqual(
      tape.interactions.map(({ http }) => http?.requestBody),
      [first, second, second].map((requestText) => ({ type: 'text', text: requestText })),
    );
    assert.deepEqual(
      tape.interactions.map(({ response, http }) => [response?.content, http?.ended]),
      [
        ['Lost.', undefined],
        ['I am sor', 'reset'],
        ['I am sor', 'reset'],
      ],
    );
  });

  it('carries all of what went over HTTP', () => {
    const chunks = fc.array(
      fc.record({
        data: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(delta('x'), '{"a": [1.0]}\n', 'data: 1\n\n')),
        delayMs: fc.nat(900),
      }),
    );
    const streamed = fc
      .tuple(httpExchange, chunks, fc.constantFrom('closed' as const, 'reset' as const, 'silent' as const))
      .map(([http, list, ended]): HttpExchange => ({ ...http, responseBody: { type: 'chunks', chunks: list }, ended }));
    fc.assert(
      fc.property(fc.array(fc.oneof(httpExchange, streamed), { maxLength: 6 }), (exchanges) => {
        const tape = readAs('tapedeck', write(...exchanges.map((http) => ({ http }))));
        assert.deepEqual(
          tape.interactions.map(({ http }) => http),
          structuredClone(exchanges),
        );
      }),
      RUNS,
    );
  });

  it('writes the names of members as they were sent, also where a later request refers to them', () => {
    const long = 'a value that is long enough to be referred to by the requests that come after it';
    const names = ['"\\u00e9"', '"a\\/b"', '"\\u0041"', '"\u2028"', '"\\ud83d\\ude00"', '"__proto__"', '"$same"'];
    const bodies = names.map((name) => `{${name}:${JSON.stringify(long)},"messages":[{${name}:"${long}"}]}`);
    const sent = [...bodies, ...bodies.map((one) => one.replace('"messages"', '"n":1,"messages"'))];
    const { interactions, problems } = readAs('tapedeck', write(...sent.map((one) => chatCall(one, answered('ok')))));
    assert.deepEqual(problems, []);
    const read = interactions.map(({ http }) => http?.requestBody);
    assert.deepEqual(
      read,
      sent.map((text) => ({ type: 'text', text })),
    );
  });

  it('carries all of what was recorded without HTTP', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 6 }), (exchanges) => {
        const tape = readAs('tapedeck', write(...exchanges));
        const read = tape.interactions.map(({ request, response }) => ({ ...(request && { request }), response }));
        assert.ok(jsonEqual(read, exchanges));
      }),
      RUNS,
    );
  });

  it('keeps histories that lose, change and repeat messages', () => {
    const message = fc.constantFrom(
      ...['a', 'b', 'c'].map((letter) => said('user', letter.repeat(80))),
      { $from: 1, at: 0, count: 2 },
      { $value: 1, padding: 'x'.repeat(80) },
      'plain',
    );
    fc.assert(
      fc.property(fc.array(fc.array(message, { maxLength: 8 }), { maxLength: 8 }), (histories) => {
        const bodies = histories.map((messages) => body(messages, { tools: messages, system: { $same: 1 } }));
        const tape = readAs('tapedeck', write(...bodies.map((text) => chatCall(text, {}))));
        assert.deepEqual(
          tape.interactions.map(({ http }) => http?.requestBody),
          bodies.map((text) => ({ type: 'text', text })),
        );
      }),
      RUNS,
    );
  });

  it('grows with what is new in a conversation of 200 turns', () => {
    const turns = (count: number): string => {
      const history = Array.from({ length: 2 * count }, (_, at) =>
        said(at % 2 ? 'assistant' : 'user', `${at} `.repeat(15)),
      );
      return write(
        ...history
          .filter((_, at) => at % 2 === 0)
          .map((_, at) => chatCall(body(history.slice(0, 2 * at + 1)), answered('ok'))),
      );
    };
    const [half, whole] = [turns(100).length, turns(200).length];
    assert.ok(whole < 2.1 * half, `${half} characters for 100 turns, ${whole} for 200`);
  });

  it('changes an answer, whole or streamed', () => {
    const text = write(
      chatCall(body([said('user', 'Hi')]), { ...answered('Hello'), responseHeaders: [['Content-Length', '104']] }),
      chatCall(body([]), { responseBody: { type: 'chunks', chunks: [{ data: delta('Hel') }, { data: delta('lo') }] } }),
      { request: { messages: [], tools: [], params: {} }, response: { content: 'plain', toolCalls: [] } },
    );
    for (const interaction of [0, 1, 2]) editAnswer(tapeFileFromText(text), interaction, 'Good evening, "friend"');
  });

  it('says what is wrong with a line, and reads the others', () => {
    const text = `${write(chatCall(body([]), answered('ok')))}{"request":2,"same":9}\n{"request":3,"method":"GET","url":"/","json":{"messages":[{"$from":7,"at":0,"count":1}]}}\n{"response":8}\n{"after":1,"text":""}\n[]\n{"request":1}\n`;
    const tape = tapedeckFormat.read(tapeFileFromText(text));
    assert.equal(tape.interactions.length, 1);
    assert.deepEqual(
      tape.problems.map(({ message }) => message),
      [
        'there is no request 9 before this',
        'request 7 has no `messages` 0 to 1 before this',
        'there is no request 8 before this',
        'a frame must follow its response',
        'a line must be a JSON object',
        'there is a request 1 already',
      ],
    );
  });

  it('loses nothing of what it wrote itself', () => {
    const source = readAs('tapedeck', write(chatCall(body([said('user', 'Hi')]), answered('Hello'))));
    assert.deepEqual(convertTape(source, 'x', tapedeckFormat).losses, []);
  });
});
