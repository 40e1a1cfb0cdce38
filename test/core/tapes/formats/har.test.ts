import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { harFormat, pollyHarFormat } from '../../../../src/core/tapes/formats/har/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, RUNS, readAs } from '../editing';

const REQUEST = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
const answer = (content: string): string =>
  JSON.stringify({
    id: '1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });
const HELLO = answer('Hello');

const entry = (
  content: object,
  bodySize: number,
  headers: object[] = [],
  postData: object = { text: REQUEST },
): unknown => ({
  _id: '897d3731',
  _order: 0,
  request: {
    method: 'POST',
    url: 'https://api.example.com/v1/chat/completions',
    headers: [{ _fromType: 'array', name: 'accept', value: '*/*' }],
    postData: { mimeType: 'application/json', params: [], ...postData },
  },
  response: { status: 200, headers, content: { mimeType: 'application/json', ...content }, bodySize },
  startedDateTime: '2025-03-07T14:55:40.832Z',
  time: 224,
});
const polly = (...entries: unknown[]): string =>
  JSON.stringify({ log: { _recordingName: 'chat', creator: { name: 'Polly.JS' }, entries, version: '1.2' } }, null, 2);
const browser = (...entries: unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector' }, pages: [], entries } });

/** As Polly.JS stores it: the text of a JSON list of pieces in base64, each of its own. */
function packed(text: string): string {
  const bytes = gzipSync(text);
  return JSON.stringify([bytes.subarray(0, 10), bytes.subarray(10)].map((piece) => piece.toString('base64')));
}

const YAML = `log:
  _recordingName: chat
  creator:
    name: Polly.JS
  entries:
    - _id: 897d3731
      request:
        headers:
          - _fromType: array
            name: user-agent
            value: chat/v1 (Node.js
              v20)
        method: POST
        postData:
          mimeType: application/json
          params: []
          textJSON:
            messages:
              - content: Hi
                role: user
            model: m
        url: https://api.example.com/v1/chat/completions
      response:
        bodySize: 123
        content:
          mimeType: application/json
          size: 123
          text: "{\\"id\\":\\"1\\",\\"object\\":\\"chat.completion\\",\\"choices\\":[{\\"index\\":0,\\"mes\\
            sage\\":{\\"role\\":\\"assistant\\",\\"content\\":\\"Hello\\"}}]}"
        headers:
          - name: content-length
            value: "${HELLO.length}"
        status: 200
      startedDateTime: 2025-03-07T14:55:40.832Z
      time: 224
  version: "1.2"
`;

describe('the HAR formats', () => {
  it('read recordings of Polly.JS and archives of browsers, each as what it is', () => {
    const content = { text: HELLO, size: HELLO.length };
    const tape = readAs('polly-har', polly(entry(content, HELLO.length)));
    assert.equal(tape.name, 'chat');
    const [chat] = tape.interactions;
    assert.equal(chat?.id, '897d3731');
    assert.equal(chat?.request?.messages[0]?.content, 'Hi');
    assert.equal(chat?.response?.content, 'Hello');
    assert.deepEqual(chat?.timing, { recordedAt: '2025-03-07T14:55:40.832Z', durationMs: 224 });
    assert.equal(readAs('har', browser(entry(content, -1))).interactions[0]?.response?.content, 'Hello');
    assert.equal(readAs('har', browser()).interactions.length, 0);
  });

  it('read bodies in base64, in pieces of it, and in the hexadecimal of old versions', () => {
    const read = (content: object): string | null | undefined =>
      readAs('polly-har', polly(entry(content, 0))).interactions[0]?.response?.content;
    assert.equal(read({ encoding: 'base64', text: Buffer.from(HELLO).toString('base64') }), 'Hello');
    assert.equal(read({ encoding: 'base64', text: packed(HELLO) }), 'Hello');
    assert.equal(read({ _isBinary: true, text: JSON.stringify([Buffer.from(HELLO).toString('hex')]) }), 'Hello');
  });

  it('read requests that were stored parsed, or field by field', () => {
    const request = (postData: object) =>
      readAs('polly-har', polly(entry({ text: HELLO }, 0, [], postData))).interactions[0]?.http?.requestBody;
    assert.deepEqual(request({ textJSON: { a: 1 } }), { type: 'json', json: { a: 1 } });
    assert.deepEqual(request({ params: [{ name: 'a', value: '1' }, { name: 'b' }] }), { type: 'text', text: 'a=1&b=' });
  });

  it('read the YAML of Cody', () => {
    const [chat] = readAs('polly-har', YAML).interactions;
    assert.equal(chat?.request?.messages[0]?.content, 'Hi');
    assert.equal(chat?.response?.content, 'Hello');
    assert.equal(YAML.slice(chat?.source.start, chat?.source.end).startsWith('_id: 897d3731'), true);
  });

  it('say which part of a body is no base64', () => {
    const text = polly(entry({ encoding: 'base64', text: '["H4sI","*"]' }, 0));
    const [problem] = pollyHarFormat.read(tapeFileFromText(text)).problems;
    assert.equal(problem?.message, 'a part of the body is not valid base64');
  });

  it('change the sizes that were right, whatever they count', () => {
    const longer = answer('Hello, world');
    const header = { name: 'Content-Length', value: `${HELLO.length}` };
    const plain = (text: string): string =>
      browser(entry({ text, size: text.length }, text.length, [{ ...header, value: `${text.length}` }]));
    const edited = editAnswer(tapeFileFromText(plain(HELLO)), 0, 'Hello, world');
    assert.equal(edited.text, plain(longer));
    assert.deepEqual(edited.dependents, ['content-length', 'response.content.size', 'response.bodySize']);
    const wrong = (text: string): string => browser(entry({ text, size: 7 }, -1));
    assert.equal(editAnswer(tapeFileFromText(wrong(HELLO)), 0, 'Hello, world').text, wrong(longer));
  });

  it('change what is compressed, and the length that Polly.JS counts in characters', () => {
    const text = packed(HELLO);
    const edited = editAnswer(
      tapeFileFromText(polly(entry({ encoding: 'base64', text, size: text.length }, text.length))),
      0,
      'Hi!',
    );
    const { content, bodySize } = JSON.parse(edited.text).log.entries[0].response;
    assert.equal(content.size, content.text.length);
    assert.equal(bodySize, content.text.length);
  });

  it('change the YAML of Cody, with what it has decoded beside it', () => {
    const { text } = editAnswer(tapeFileFromText(YAML), 0, 'Hello: "you"');
    assert.equal(text.includes(`value: "${answer('Hello: "you"').length}"`), true);
    assert.deepEqual(text.split('\n').slice(0, 26), YAML.split('\n').slice(0, 26));
    const parts = packed(HELLO);
    const decoded = YAML.replace(
      /text: "[\s\S]*?"\n(?= {8}headers)/,
      `encoding: base64\n          text: ${JSON.stringify(parts)}\n          textDecoded:\n            choices:\n              - index: 0\n                message:\n                  content: Hello\n                  role: assistant\n            id: "1"\n            object: chat.completion\n`,
    );
    const edited = editAnswer(tapeFileFromText(decoded), 0, 'Hullo');
    assert.match(edited.text, /content: Hullo\n {18}role: assistant/);
  });

  it('take any text, plain, compressed and in YAML', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('plain', 'packed', 'yaml'), (text, form) => {
        const content = form === 'packed' ? { encoding: 'base64', text: packed(HELLO) } : { text: HELLO };
        editAnswer(tapeFileFromText(form === 'yaml' ? YAML : polly(entry(content, 0))), 0, text);
      }),
      RUNS,
    );
  });

  it('survive what is not as it should be', () => {
    assert.equal(
      harFormat.read(tapeFileFromText('{"log": {"entries": [null, {"request": 1, "response": {"content": []}}]}}'))
        .interactions.length,
      2,
    );
    assert.equal(
      pollyHarFormat.read(tapeFileFromText('log:\n  _recordingName: x\n  entries: no\n')).problems.length,
      1,
    );
  });

  describe('of Polly.JS before version 6', () => {
    const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
    const GZIPPED = [{ name: 'content-encoding', value: 'gzip' }];
    const hexPieces = (bytes: Buffer): string =>
      JSON.stringify([bytes.subarray(0, 10), bytes.subarray(10)].map((piece) => piece.toString('hex')));
    const bodyOf = (text: string) => pollyHarFormat.read(tapeFileFromText(text)).interactions[0]?.http?.responseBody;
    const bytesOf = (text: string): Buffer | undefined => {
      const body = bodyOf(text);
      return body?.type === 'base64' ? Buffer.from(body.base64, 'base64') : undefined;
    };

    it('has bytes in hexadecimal, marked or not', () => {
      const packedBytes = gzipSync(HELLO);
      for (const [content, headers, expected] of [
        [{ mimeType: 'image/png', _isBinary: true, text: PNG.toString('hex') }, [], PNG],
        [{ mimeType: 'image/png', text: PNG.toString('hex') }, [], PNG],
        [{ mimeType: 'application/octet-stream', text: PNG.toString('hex') }, [], PNG],
        [{ text: hexPieces(packedBytes) }, GZIPPED, packedBytes],
        [{ _isBinary: true, text: hexPieces(packedBytes) }, GZIPPED, packedBytes],
      ] as const)
        assert.deepEqual(bytesOf(polly(entry(content, -1, [...headers]))), expected, JSON.stringify(content));
    });

    it('has texts that look like it', () => {
      for (const [content, headers] of [
        [{ mimeType: 'text/plain', text: 'deadbeef' }, []],
        [{ mimeType: 'text/plain', text: 'cafe' }, GZIPPED],
        [{ text: '["1f8b", "08"]' }, []],
        [{ text: '["hello"]' }, GZIPPED],
        [{ mimeType: 'image/svg+xml', text: '<svg/>' }, []],
      ] as const) {
        const body = bodyOf(polly(entry(content, -1, [...headers])));
        assert.deepEqual(body, { type: 'text', text: content.text });
      }
      const base64 = { _isBinary: true, encoding: 'base64', text: 'deadbeef' };
      assert.deepEqual(bodyOf(polly(entry(base64, -1))), { type: 'base64', base64: 'deadbeef' });
    });

    it('is no browser, whose hexadecimal is text', () => {
      const text = browser(entry({ mimeType: 'image/png', text: PNG.toString('hex') }, 16));
      const body = harFormat.read(tapeFileFromText(text)).interactions[0]?.http?.responseBody;
      assert.deepEqual(body, { type: 'text', text: PNG.toString('hex') });
    });
  });
});
