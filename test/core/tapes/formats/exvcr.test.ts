import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { exvcrFormat } from '../../../../src/core/tapes/formats/exvcr/index';
import { lackOf } from '../../../../src/core/tapes/notKept';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readAs } from '../editing';

const QUESTION = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hi.' }] };
const ANSWER = {
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
};

const request = {
  body: JSON.stringify(QUESTION),
  headers: { 'Content-Type': 'application/json' },
  method: 'post',
  options: [],
  request_body: '',
  url: 'https://api.openai.com/v1/chat/completions',
};
const response = {
  binary: false,
  body: JSON.stringify(ANSWER),
  headers: { 'content-type': 'application/json' },
  status_code: 200 as unknown,
  type: 'ok',
};

function cassette(...entries: readonly object[]): string {
  return JSON.stringify(entries, null, 2);
}

/** Erlang's external term of bytes. */
function term(bytes: Uint8Array): string {
  const header = Buffer.from([131, 109, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 2);
  return Buffer.concat([header, bytes]).toString('base64');
}

describe('the ExVCR format', () => {
  it('reads a call', () => {
    const [call] = readAs('exvcr', cassette({ request, response })).interactions;
    assert.equal(call?.http?.method, 'POST');
    assert.equal(call?.request?.messages[0]?.content, 'Say hi.');
    assert.equal(call?.response?.content, 'Hi.');
  });

  it('reads bytes that are not text as the term of Erlang that they are stored as', () => {
    const body = term(gzipSync(JSON.stringify(ANSWER)));
    const headers = { ...response.headers, 'Content-Encoding': 'gzip' };
    const text = cassette({ request, response: { ...response, binary: true, body, headers } });
    assert.equal(readAs('exvcr', text).interactions[0]?.response?.content, 'Hi.');
  });

  it('reads a status that is a whole line, and a request without a body or headers', () => {
    const plain = { ...request, body: '', headers: [], method: 'get', options: { http_options: [] } };
    const line = { ...response, status_code: ['HTTP/1.1', 404, 'Not Found'], body: 'no such page' };
    const [only] = readAs('exvcr', cassette({ request: plain, response: line })).interactions;
    assert.equal(only?.http?.status, 404);
    assert.deepEqual(only?.http?.requestBody, { type: 'none' });
  });

  it('has no response of a request that failed', () => {
    for (const [body, reason] of [
      ['nxdomain', 'nxdomain'],
      [['conn_failed', 'nxdomain'], '["conn_failed","nxdomain"]'],
    ]) {
      const failed = { ...response, body, headers: [], status_code: null, type: 'error' };
      const [only] = readAs('exvcr', cassette({ request, response: failed })).interactions;
      assert.deepEqual(only && lackOf(only), { why: 'failed', reason });
    }
  });

  it('reports what is broken, and what it does not know', () => {
    const problemsOf = (text: string) =>
      exvcrFormat.read(tapeFileFromText(text)).problems.map(({ message }) => message);
    const bytes = { ...response, binary: true, body: 'aGVsbG8=' };
    assert.equal(problemsOf(cassette({ request, response: bytes }))[0], 'the body is not a binary of Erlang in base64');
    const { body, ...rest } = response;
    assert.deepEqual(problemsOf(cassette({ request, response: { ...rest, text: body } })), [
      'content was not read: `response.text`',
    ]);
    assert.ok(problemsOf(cassette({ request, response }).slice(0, -9)).length > 0);
  });

  it('is read only, and leaves custom cassettes to those who wrote them', () => {
    assert.equal('editText' in exvcrFormat, false);
    const custom = cassette({ request: { url: 'http://example.com' }, response: { status_code: 200, body: 'x' } });
    assert.equal(exvcrFormat.looksLike(tapeFileFromText(custom)), false);
  });
});
