import assert from 'node:assert/strict';
import { reqLlmFormat } from '../../../../src/core/tapes/formats/reqLlm/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { writeEventStream } from '../../../../src/core/wire/body/eventStream';
import { readAs } from '../editing';

const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64');
const BODY = { model: 'gpt-4.1-nano', messages: [{ role: 'user', content: 'Hello world!' }] };
const request = {
  body: { b64: base64(JSON.stringify(BODY)) },
  canonical_json: BODY,
  headers: { authorization: '[REDACTED:authorization]', 'content-type': ['application/json'] },
  method: 'post',
  url: 'https://api.openai.com/v1/chat/completions',
};
const event = (content: string): string =>
  `data: {"id":"1","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;

describe('the req_llm fixture format', () => {
  it('reads a call', () => {
    const body = {
      id: '1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }],
    };
    const [call] = readAs(
      'req-llm',
      JSON.stringify({ request, response: { body, headers: {}, status: 200 } }),
    ).interactions;
    assert.equal(call?.http?.method, 'POST');
    assert.equal(call?.request?.messages[0]?.content, 'Hello world!');
    assert.equal(call?.response?.content, 'Hi');
  });

  it('reads a stream whose pieces are in base64, where a character may be cut', () => {
    const bytes = Buffer.from(`${event('Grüße')}${event('!')}data: [DONE]\n\n`);
    const cut = bytes.indexOf(0xc3) + 1;
    const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].map((piece) => ({ b64: base64(piece) }));
    const fixture = {
      captured_at: '2025-10-03T20:25:38Z',
      chunks,
      request,
      response: { body: null, headers: {}, status: 200 },
    };
    const [call] = readAs('req-llm', JSON.stringify(fixture)).interactions;
    assert.equal(call?.response?.content, 'Grüße!');
    assert.equal(call?.timing?.recordedAt, '2025-10-03T20:25:38Z');
  });

  it('reads a stream that is no text', () => {
    const payload = new TextEncoder().encode('{"contentBlockIndex":0,"delta":{"text":"Hi"}}');
    const headers = [[':event-type', { type: 'string', value: 'contentBlockDelta' }]] as const;
    const last = [[':event-type', { type: 'string', value: 'messageStop' }]] as const;
    const end = new TextEncoder().encode('{"stopReason":"end_turn"}');
    const stream = writeEventStream([
      { headers, payload },
      { headers: last, payload: end },
    ]);
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream';
    const body = { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] };
    const fixture = {
      captured_at: 'now',
      chunks: [{ b64: base64(stream) }],
      request: { ...request, url, body: { b64: base64(JSON.stringify(body)) } },
      response: { status: 200, headers: {} },
    };
    assert.equal(readAs('req-llm', JSON.stringify(fixture)).interactions[0]?.response?.content, 'Hi');
  });

  it('takes the canonical request where the sent one is missing, and says what is broken', () => {
    const fixture = { request: { ...request, body: null }, response: { status: 200, body: null, headers: {} } };
    const [call] = readAs('req-llm', JSON.stringify(fixture)).interactions;
    assert.equal(call?.request?.messages[0]?.content, 'Hello world!');
    const broken = { captured_at: '', chunks: [{ b64: '*' }], request, response: {} };
    assert.deepEqual(
      reqLlmFormat.read(tapeFileFromText(JSON.stringify(broken))).problems[0]?.message,
      'a chunk is not valid base64',
    );
  });
});
