import assert from 'node:assert/strict';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { applyTapeEdits } from '../../../../src/core/tapes/edits/editTape';
import { detectFormat, readTape } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';

const entry = (changed: Readonly<Record<string, unknown>>) => ({
  scope: 'https://api.openai.com:443',
  method: 'POST',
  path: '/v1/chat/completions',
  body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Where is it?' }] },
  status: 200,
  response: {
    id: 'c1',
    object: 'chat.completion',
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, message: { role: 'assistant', content: 'On its way.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
  },
  rawHeaders: ['Content-Type', 'application/json', 'Content-Length', '1'],
  responseIsBinary: false,
  ...changed,
});
const fixture = (...entries: readonly Readonly<Record<string, unknown>>[]) =>
  tapeFileFromText(JSON.stringify(entries.map(entry), undefined, 4), 'fixtures/chat.json');

describe('nock.back fixtures', () => {
  it('are read with their messages, whichever form the headers have', () => {
    for (const rawHeaders of [['Content-Type', 'application/json'], { 'content-type': 'application/json' }]) {
      const tape = readTape(fixture({ rawHeaders }));
      assert.equal(tape?.format, 'nock');
      assert.deepEqual(tape?.problems, []);
      const [interaction] = tape?.interactions ?? [];
      assert.equal(interaction?.kind, 'llm');
      assert.equal(interaction?.http?.url, 'https://api.openai.com/v1/chat/completions');
      assert.equal(interaction?.request?.messages[0]?.content, 'Where is it?');
      assert.equal(interaction?.response?.content, 'On its way.');
      assert.deepEqual(interaction?.http?.responseHeaders[0]?.[1], 'application/json');
    }
  });

  it('are read where the response is a stream, packed, or binary', () => {
    const sse =
      'data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';
    const tape = readTape(
      fixture(
        { response: sse, rawHeaders: ['Content-Type', 'text/event-stream'] },
        // `{"ok":1}`, as nock 13 and 14 record it.
        {
          path: '/gzip',
          response: ['1f8b0800000000000003ab56cacf', '56b232ac0500098c541008000000'],
          rawHeaders: ['Content-Encoding', 'gzip', 'Content-Type', 'application/json'],
        },
        { path: '/image', response: 'ffd80001', rawHeaders: ['Content-Type', 'image/png'], responseIsBinary: true },
        { path: '/list', response: ['a'], rawHeaders: ['Content-Type', 'application/json'] },
      ),
    );
    const [stream, gzip, image, list] = tape?.interactions ?? [];
    assert.equal(stream?.response?.content, 'Hi');
    assert.deepEqual(gzip?.http?.responseBody.type, 'base64');
    assert.equal(gzip?.summary, 'application/json, 8 bytes');
    assert.deepEqual(image?.http?.responseBody, { type: 'base64', base64: '/9gAAQ==' });
    assert.deepEqual(list?.http?.responseBody, { type: 'json', json: ['a'] });
    assert.deepEqual(tape?.problems, []);
  });

  it('are edited in their place, and nothing else changes', () => {
    const file = fixture({});
    const edit = { type: 'response-text', interaction: 0, text: 'Delivered.' } as const;
    const outcome = applyTapeEdits(file, [edit], redactValue);
    assert.ok('splices' in outcome);
    assert.equal(applySplices(file.text, outcome.splices), file.text.replace('On its way.', 'Delivered.'));
  });

  it('have lengths that follow when a value is hidden', () => {
    const response = 'The key is sk-wanted-9f3b7c21.';
    const file = fixture({
      response,
      rawHeaders: ['Content-Type', 'text/plain', 'Content-Length', `${response.length}`],
    });
    const outcome = applyTapeEdits(file, [{ type: 'redact', value: 'sk-wanted-9f3b7c21' }], redactValue);
    assert.ok('splices' in outcome, JSON.stringify(outcome));
    const http = readTape({ ...file, text: applySplices(file.text, outcome.splices) })?.interactions[0]?.http;
    assert.ok(http?.responseBody.type === 'text' && !http.responseBody.text.includes('wanted'));
    assert.equal(http.responseHeaders[1]?.[1], `${http.responseBody.text.length}`);
  });

  it('are told from other lists, and say what is damaged', () => {
    assert.equal(detectFormat(tapeFileFromText('[{"scope": "x", "method": "GET"}]', 'fixtures/a.json'))?.id, undefined);
    const broken = readTape(fixture({ response: ['xyz'], rawHeaders: ['Content-Encoding', 'gzip'] }));
    assert.match(broken?.problems.map(({ message }) => message).join() ?? '', /hexadecimal/);
  });
});
