import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mastraFormat } from '../../../../src/core/tapes/formats/mastra/index';
import { mastraHash } from '../../../../src/core/tapes/formats/mastra/write';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, RUNS, readAs } from '../editing';

const event = (content: string): string =>
  `data: {"id":"1","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
/** As the network cut it: in the middle of events, and two events at once. */
const PIECES = [
  event('Once').slice(0, 20),
  event('Once').slice(20) + event(' upon'),
  event(' a time'),
  'data: [DONE]\n\n',
];
const WHOLE = {
  id: '1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }],
};

const recording = (response: object): unknown => ({
  hash: 'd3d0b8f86427d5be',
  request: {
    url: 'https://api.openai.com/v1/chat/completions',
    method: 'POST',
    body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Tell' }], stream: true },
    timestamp: 1779291425758,
  },
  response: { status: 200, statusText: 'OK', headers: { 'content-type': 'text/event-stream' }, ...response },
});
const streamed = (): unknown => recording({ chunks: PIECES, chunkTimings: [0, 24, 1571, 3], isStreaming: true });
const tapeOf = (...recordings: unknown[]): string =>
  JSON.stringify({ meta: { name: 'suite/test', createdAt: '2026-05-20T15:37:24.594Z' }, recordings }, null, 2);

describe('the Mastra recording format', () => {
  it('puts together what the network has cut, and keeps the time between the pieces', () => {
    const tape = readAs('mastra', tapeOf(streamed()));
    const [story] = tape.interactions;
    assert.equal(tape.name, 'suite/test');
    assert.equal(story?.id, 'd3d0b8f86427d5be');
    assert.equal(story?.response?.content, 'Once upon a time');
    assert.deepEqual(story?.timing, { recordedAt: '2026-05-20T15:37:05.758Z', durationMs: 1598 });
    const delays = story?.response?.chunks?.map(({ delayMs }) => delayMs ?? 0);
    assert.deepEqual(delays, [24, 0, 1571, 3]);
  });

  it('reads answers in one piece, and the bare lists of older files', () => {
    const whole = recording({ headers: {}, body: WHOLE, isStreaming: false });
    assert.equal(readAs('mastra', tapeOf(whole)).interactions[0]?.response?.content, 'Hi');
    assert.equal(readAs('mastra', JSON.stringify([whole, streamed()])).interactions.length, 2);
    assert.deepEqual(readAs('mastra', tapeOf()).interactions, []);
  });

  it('reads JSON that was taken for a stream', () => {
    const text = JSON.stringify(WHOLE);
    const cut = recording({ chunks: [text.slice(0, 9), text.slice(9)], chunkTimings: [1, 2], isStreaming: true });
    assert.equal(readAs('mastra', tapeOf(cut)).interactions[0]?.response?.content, 'Hi');
  });

  it('names a body that is in a file beside it', () => {
    const file = 'd3d0b8f86427d5be-response-1.mp3';
    const [speech] = readAs('mastra', tapeOf(recording({ body: { type: 'binary', file } }))).interactions;
    assert.equal(speech?.summary, `body in ${file}`);
  });

  it('changes the pieces that tell the text and leaves the others', () => {
    const before = tapeOf(streamed());
    const { text } = editAnswer(tapeFileFromText(before), 0, 'Once upon A time');
    assert.equal(text, before.replace(' a time', ' A time'));
  });

  it('takes any text, streamed and whole, in new files and old ones', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), fc.boolean(), (text, isStream, isBare) => {
        const entries = [recording({ body: WHOLE }), isStream ? streamed() : recording({ body: WHOLE })];
        editAnswer(tapeFileFromText(isBare ? JSON.stringify(entries) : tapeOf(...entries)), 1, text);
      }),
      RUNS,
    );
  });

  it('mentions a hash that does not fit its request, whatever the order of its keys', () => {
    const body = {
      stream: true,
      messages: [{ content: 'Tell', role: 'user' }],
      model: 'gpt-4o-mini',
    };
    const { hash, request, response } = JSON.parse(JSON.stringify(recording({ body: WHOLE })));
    const problemsOf = (entry: unknown): string[] =>
      mastraFormat.read(tapeFileFromText(tapeOf(entry))).problems.map(({ severity, fix }) => `${severity}: ${fix}`);
    const right = mastraHash(request.url, body);
    assert.deepEqual(problemsOf({ hash: right, request, response }), []);
    assert.deepEqual(problemsOf({ hash: right, request: { ...request, body }, response }), []);
    assert.deepEqual(problemsOf({ hash: `0${right.slice(1)}`, request, response }), [
      `info: Record it again, or, without transformRequest, use "${right}".`,
    ]);
    assert.equal(problemsOf({ hash, request: { ...request, url: `${request.url}?` }, response }).length, 1);
    const redacted = { ...request, url: `${request.url}?key=REDACTED-1` };
    assert.deepEqual(problemsOf({ hash, request: redacted, response }), []);
    // Of what is in a file beside it, nobody knows here.
    const beside = { ...request, body: { type: 'binary', file: 'd3d0b8f86427d5be-request-1.bin' } };
    assert.deepEqual(problemsOf({ hash, request: beside, response }), []);
  });

  it('has the hash that the real recorder gave a request', () => {
    const input = [
      { role: 'system', content: 'You are a helpful assistant. Be concise.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Say "test" and nothing else.' }] },
    ];
    const body = { model: 'gpt-4o-mini', input, temperature: 0 };
    assert.equal(mastraHash('https://api.openai.com/v1/responses', body), '281cc79a0aacf9a8');
  });

  it('survives what is not as it should be', () => {
    const odd = tapeOf(recording({ chunks: [1, null, 'data: x\n\n'], chunkTimings: 'soon' }), 3, {
      hash: 1,
      request: [],
    });
    assert.equal(mastraFormat.read(tapeFileFromText(odd)).interactions.length, 3);
  });
});
