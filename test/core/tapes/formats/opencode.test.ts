import assert from 'node:assert/strict';
import fc from 'fast-check';
import { opencodeFormat } from '../../../../src/core/tapes/formats/opencode/index';
import { decodeTapeFile, tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, RUNS, readAs } from '../editing';

const REQUEST = { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Say hello.' }] };
const delta = (content: string): string =>
  `data: {"id":"1","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
const STREAM = `${delta('Hel')}${delta('lo')}data: [DONE]\n\n`;

const cassette = (...interactions: unknown[]): string =>
  `${JSON.stringify({ version: 1, metadata: { name: 'chat/hello', recordedAt: '2026-05-06T01:33:31.127Z' }, interactions }, null, 2)}\n`;

const http = (response: object): unknown => ({
  request: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(REQUEST),
  },
  response: { status: 200, headers: { 'content-type': 'text/event-stream' }, ...response },
});

const frame = (body: object): unknown => ({ kind: 'text', body: JSON.stringify(body) });
const ASKED = frame({
  type: 'response.create',
  model: 'gpt-5',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Say hello.' }] }],
});
const ANSWERED = [
  frame({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello' }),
  frame({
    type: 'response.completed',
    response: {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'gpt-5',
      output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }],
    },
  }),
];
const URL = 'wss://api.openai.com/v1/responses';

describe('the opencode cassette format', () => {
  it('reads what was asked and answered, with the name and time of the cassette', () => {
    const tape = readAs('opencode', cassette(http({ body: STREAM })));
    assert.deepEqual([tape.name, tape.version], ['chat/hello', '1']);
    const [chat] = tape.interactions;
    assert.equal(chat?.request?.messages[0]?.content, 'Say hello.');
    assert.equal(chat?.response?.content, 'Hello');
    assert.equal(chat?.timing?.recordedAt, '2026-05-06T01:33:31.127Z');
  });

  it('reads bodies in base64, and newer files that name the transport', () => {
    const body = Buffer.from(STREAM).toString('base64');
    const [chat] = readAs(
      'opencode',
      cassette({ transport: 'http', ...(http({ body, bodyEncoding: 'base64' }) as object) }),
    ).interactions;
    assert.equal(chat?.response?.content, 'Hello');
    assert.equal(chat?.http?.responseBody.type, 'base64');
  });

  it('reads what went over a WebSocket as the frames of an answer', () => {
    const open = { url: URL, headers: {} };
    const events = [
      { direction: 'client', ...(ASKED as object) },
      ...ANSWERED.map((event) => ({ direction: 'server', ...(event as object) })),
    ];
    const tape = readAs(
      'opencode',
      cassette(
        { transport: 'websocket', open, client: [ASKED], server: ANSWERED },
        { transport: 'websocket', open, events },
      ),
    );
    for (const socket of tape.interactions) {
      assert.equal(socket.kind, 'llm');
      assert.equal(socket.request?.messages[0]?.content, 'Say hello.');
      assert.equal(socket.response?.content, 'Hello');
      assert.equal(socket.response?.chunks?.length, 2);
    }
  });

  it('keeps a WebSocket that speaks something else as frames', () => {
    const open = { url: 'wss://example.com/chat', headers: {} };
    const entry = { transport: 'websocket', open, client: [], server: [{ kind: 'text', body: 'ping' }] };
    const [socket] = readAs('opencode', cassette(entry)).interactions;
    assert.equal(socket?.kind, 'frame');
    const outcome = opencodeFormat.editText(tapeFileFromText(cassette(entry)), {
      type: 'response-text',
      interaction: 0,
      text: '',
    });
    assert.match('refused' in outcome ? outcome.refused : '', /message by message/);
  });

  it('is told from other tapes with a version and interactions', () => {
    const claims = (text: string): boolean => opencodeFormat.looksLike(tapeFileFromText(text));
    assert.equal(claims('{"version": 1, "interactions": [{"request": {"method": "GET", "uri": "x"}}]}'), false);
    assert.equal(claims('{"version": 1, "case_name": "c", "interactions": [{"request": {"url": "x"}}]}'), false);
    assert.equal(claims('{"version": 1, "interactions": []}'), false);
  });

  it('takes any text, plain and in base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, encoded) => {
        const body = encoded
          ? { body: Buffer.from(STREAM).toString('base64'), bodyEncoding: 'base64' }
          : { body: STREAM };
        editAnswer(tapeFileFromText(cassette(http(body), http({ body: STREAM }))), 0, text);
      }),
      RUNS,
    );
  });

  it('escapes what a file that is not UTF-8 has no bytes for', () => {
    const bytes = Buffer.from(cassette(http({ body: STREAM })).replace('chat/hello', 'chat/\u00e9'), 'latin1');
    const file = decodeTapeFile('c.json', bytes);
    assert.equal(file.encoding, 'latin1');
    assert.equal(editAnswer(file, 0, 'Grüße €').tape.name, 'chat/é');
  });

  it('changes nothing outside the body', () => {
    const before = cassette(http({ body: STREAM }));
    const { text } = editAnswer(tapeFileFromText(before), 0, 'Hullo');
    assert.equal(text, before.replace('Hel', 'Hul'));
  });
});
