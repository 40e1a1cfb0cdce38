import assert from 'node:assert/strict';
import fc from 'fast-check';
import { crc32 } from '../../../../src/core/bytes/crc32';
import { prettyJson } from '../../../../src/core/json/json';
import { jsonValue, parseJson, readJson, salvageJson } from '../../../../src/core/json/readJson';
import { decodeBody } from '../../../../src/core/wire/body/body';
import {
  type EventHeader,
  type EventMessage,
  looksLikeEventStream,
  readEventStream,
  writeEventStream,
} from '../../../../src/core/wire/body/eventStream';
import { readFrames } from '../../../../src/core/wire/body/frames';
import { looksLikeNdjson, readNdjson } from '../../../../src/core/wire/body/ndjson';
import { looksLikeSse, readSse } from '../../../../src/core/wire/body/sse';
import { base64Body, chunkBody, cutAt, eventStream, sse, textBody } from '../exchanges';

describe('readSse', () => {
  const dataOf = (text: string) => readSse(text).map(({ event, data }) => (event === undefined ? data : [event, data]));

  it('reads every kind of line end', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(
        dataOf(['event: a', 'data: 1', '', 'data: 2', '', ''].join(end)),
        [['a', '1'], '2'],
        JSON.stringify(end),
      );
  });

  it('skips comments and unknown fields, and joins data lines', () => {
    assert.deepEqual(dataOf(': OPENROUTER PROCESSING\n\nretry: 10\ndata: a\n: more\ndata:b\ndata\ndata:  c\n\n'), [
      'a\nb\n\n c',
    ]);
  });

  it('keeps a last event without a blank line, and drops one without data', () => {
    assert.deepEqual(dataOf('data: 1\n\ndata: 2'), ['1', '2']);
    assert.deepEqual(dataOf('event: ping\n\nid: 4\ndata: x\n\n'), ['x']);
  });

  it('reads lines that are not fields: an unframed error that ends a stream', () => {
    const text = 'data: 1\n\n{\n  "error": {"code": 503}\n}\n\nInternal Server Error';
    const [, error, plain] = readSse(text);
    assert.deepEqual([JSON.parse(error?.data ?? ''), plain?.data], [{ error: { code: 503 } }, 'Internal Server Error']);
    assert.deepEqual(
      error?.dataLines.map(({ start, end }) => text.slice(start, end)),
      ['{', '  "error": {"code": 503}', '}'],
    );
    assert.deepEqual(dataOf('event: error\r\n{"a": 1}\r\n\r\n'), [['error', '{"a": 1}']]);
    assert.deepEqual(dataOf('data: 1\nmore\n\n: ping\n\n'), ['1']);
  });

  it('skips a byte order mark', () => {
    assert.deepEqual(dataOf('\ufeffdata: 1\n\n'), ['1']);
  });

  it('records positions', () => {
    const text = 'event: a\r\ndata: one\r\ndata: two\r\n\r\ndata: three\r\n\r\n';
    const [first, second] = readSse(text);
    assert.deepEqual(
      first?.dataLines.map(({ start, end }) => text.slice(start, end)),
      ['one', 'two'],
    );
    assert.equal(text.slice(second?.start, second?.end), 'data: three\r\n\r\n');
  });

  it('is distinguished from other text', () => {
    for (const text of ['data: 1', '\n\ndata:1', ': comment', 'event: x\ndata: 1', '\ufeffdata: 1', 'data\n'])
      assert.ok(looksLikeSse(text), text);
    for (const text of ['', '{"data": 1}', 'dataset: 1', 'Hello: world', '{}\n{}'])
      assert.ok(!looksLikeSse(text), text);
  });
});

describe('readNdjson', () => {
  it('reads the lines that are not blank, with their positions', () => {
    const text = '{"a":1}\r\n\n  {"b":2}  \n';
    assert.deepEqual(
      readNdjson(text).map(({ data, start, end }) => [data, text.slice(start, end)]),
      [
        ['{"a":1}', '{"a":1}'],
        ['{"b":2}', '{"b":2}'],
      ],
    );
  });

  it('is distinguished from one object on several lines', () => {
    assert.ok(looksLikeNdjson('{"a":1}\n{"b":2}'));
    for (const text of ['{"a":1}', '{\n"a":1\n}', '[1]\n[2]', '', '{"a":{}\n{"b":1'])
      assert.ok(!looksLikeNdjson(text), text);
  });

  it('may be truncated in its last line', () => {
    assert.ok(looksLikeNdjson('{"a":1}\n{"b":"tw'));
    assert.ok(!looksLikeNdjson('{"a":1}\n{"b":2\n{"c":3}'));
  });
});

describe('the AWS event stream', () => {
  const typed = <T, V>(type: fc.Arbitrary<T>, value: fc.Arbitrary<V>) =>
    fc.tuple(type, value).map(([one, other]) => ({ type: one, value: other }));
  const byte = fc.integer({ min: -128, max: 127 });
  const header: fc.Arbitrary<EventHeader> = fc.oneof(
    typed(fc.constant('boolean' as const), fc.boolean()),
    typed(fc.constant('byte' as const), byte),
    typed(fc.constant('short' as const), fc.integer({ min: -32768, max: 32767 })),
    typed(fc.constant('integer' as const), fc.integer()),
    typed(
      fc.constantFrom('long' as const, 'timestamp' as const),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    ),
    typed(fc.constant('binary' as const), fc.uint8Array({ maxLength: 40 })),
    typed(fc.constant('uuid' as const), fc.uint8Array({ minLength: 16, maxLength: 16 })),
    typed(fc.constant('string' as const), fc.string({ unit: 'grapheme', maxLength: 40 })),
  );
  const name = fc.string({ minLength: 1, maxLength: 20 });
  const message: fc.Arbitrary<EventMessage> = fc
    .tuple(fc.array(fc.tuple(name, header), { maxLength: 5 }), fc.uint8Array({ maxLength: 100 }))
    .map(([headers, payload]) => ({ headers, payload }));

  it('reads what was written, with every type of header', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
        const bytes = writeEventStream(messages);
        const { messages: read, problems } = readEventStream(bytes);
        assert.deepEqual(problems, []);
        assert.deepEqual(
          read.map(({ headers, payload }) => ({ headers, payload })),
          messages,
        );
        assert.equal(read.at(-1)?.end, bytes.length);
        assert.ok(looksLikeEventStream(bytes));
      }),
    );
  });

  it('has the checksums of the specification', () => {
    assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
    // The empty message of the AWS test suite: `empty_message`.
    const empty = Uint8Array.from([0, 0, 0, 16, 0, 0, 0, 0, 5, 194, 72, 235, 125, 152, 200, 255]);
    assert.deepEqual(writeEventStream([{ headers: [], payload: new Uint8Array() }]), empty);
  });

  it('detects a changed byte by the checksums', () => {
    const bytes = eventStream(['a', { text: 'x' }], ['b', {}]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ change;
        assert.notDeepEqual(readEventStream(changed).problems, []);
      }),
    );
  });

  it('keeps the messages before a truncation', () => {
    const bytes = eventStream(['a', { n: 1 }], ['b', { n: 2 }]);
    const { messages, problems } = readEventStream(bytes.subarray(0, bytes.length - 3));
    assert.equal(messages.length, 1);
    assert.match(problems.join(), /Message 2 of the event stream \(at byte \d+\) is truncated/);
  });
});

describe('readFrames', () => {
  const framesOf = (body: Parameters<typeof readFrames>[0]) => readFrames(body, decodeBody(body));

  it('returns undefined for a body that is not a stream', () => {
    for (const text of ['{"a":1}', 'Hello', '[{"a":1}]']) assert.equal(framesOf(textBody(text)), undefined, text);
  });

  it('reads AWS frames, including those that wrap the events of a model', () => {
    const inner = Buffer.from('{"type":"ping"}').toString('base64');
    const bytes = eventStream(['messageStart', { role: 'assistant' }], ['chunk', { bytes: inner, p: 'abc' }]);
    assert.deepEqual(framesOf(base64Body(bytes))?.frames, [
      { event: 'messageStart', data: '{"role":"assistant"}', json: { role: 'assistant' } },
      { event: 'chunk', data: '{"type":"ping"}', json: { type: 'ping' } },
    ]);
  });

  it('reads broken JSON up to the error, and reports it', () => {
    const read = framesOf(textBody('data: {"a":1}\n\ndata: {"b":[2,\n\n'));
    assert.deepEqual(
      read?.frames.map(({ json }) => json),
      [{ a: 1 }, { b: [2] }],
    );
    assert.match(read?.problems.join() ?? '', /Frame 2 of the streamed response/);
  });

  it('does not depend on where the network split a stream', () => {
    const text = sse({ a: 'Grüße' }, ['b', { n: 1 }], '[DONE]');
    const whole = framesOf(textBody(text))?.frames;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (places) => {
        assert.deepEqual(framesOf(chunkBody(cutAt(text, places)))?.frames, whole);
      }),
    );
  });

  it('derives the time of each event from the chunks that it came in', () => {
    const body = chunkBody(['data: 1\n\nda', 'ta: ', '2\n\n', 'data: 3\n\ndata: 4\n\n'], 10);
    assert.deepEqual(
      framesOf(body)?.frames.map(({ data, delayMs }) => [data, delayMs]),
      [
        ['1', 10],
        ['2', 20],
        ['3', 10],
        ['4', undefined],
      ],
    );
  });

  it('keeps chunks that were stored event by event', () => {
    const body = { type: 'chunks', chunks: [{ event: 'a', data: '{"n":1}', delayMs: 5 }, { data: '[DONE]' }] } as const;
    assert.deepEqual(framesOf(body)?.frames, [
      { event: 'a', data: '{"n":1}', delayMs: 5, json: { n: 1 } },
      { data: '[DONE]', json: undefined },
    ]);
  });
});

describe('parseJson', () => {
  it('returns the same value as the tree reader', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    );
    const strings = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('12345678901234567890', '__proto__', '[{'));
    const record = fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', ''), fc.oneof(strings, number));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue({ maxDepth: 3 }), strings, number, record)), (value) => {
        const text = prettyJson(value);
        const { value: node } = readJson(text);
        assert.deepEqual(parseJson(text), node && jsonValue(node));
      }),
    );
  });

  it('rejects text that is not JSON, or nested too deeply', () => {
    for (const text of ['', 'Hello', '{"a":', '{"a":1} x', "{'a':1}", 'NaN', '[DONE]', 'data: 1'])
      assert.equal(parseJson(text), undefined, text);
    assert.equal(parseJson('['.repeat(100_000) + ']'.repeat(100_000)), undefined);
    assert.notEqual(parseJson('['.repeat(400) + ']'.repeat(400)), undefined);
  });

  it('ignores brackets in strings', () => {
    const text = JSON.stringify({ a: '['.repeat(5000), b: 1 });
    assert.deepEqual(parseJson(text), { a: '['.repeat(5000), b: 1 });
  });

  it('salvages everything before an error', () => {
    assert.deepEqual(salvageJson('{"a":1,"b":{"c":[1,2'), { a: 1, b: { c: [1, 2] } });
    assert.equal(salvageJson(''), undefined);
  });
});
