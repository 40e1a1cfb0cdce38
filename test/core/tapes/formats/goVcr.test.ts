import assert from 'node:assert/strict';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import { goVcrFormat } from '../../../../src/core/tapes/formats/goVcr/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { eventStream } from '../../wire/exchanges';
import { editAnswer, readAs } from '../editing';

const STREAM = ['Good', ' day']
  .map((content) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":"stop"}]}\n\n`)
  .join('');
const LINES = STREAM.replace(/^(?=.)/gm, '      ').slice(0, -1);

function cassette(body: string, length = -1, url = 'https://api.openai.com/v1/chat/completions'): string {
  return `---
version: 2
interactions:
- id: 0
  request:
    proto: HTTP/1.1
    content_length: 20
    host: ""
    body: '{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}'
    headers:
      Accept:
      - application/json
    url: ${url}
    method: POST
  response:
    proto: HTTP/2.0
    content_length: ${length}
    body: ${body}
    headers:
      Content-Type:
      - text/event-stream
    status: 200 OK
    code: 200
    duration: 1m1.5s
`;
}

describe('the go-vcr format', () => {
  it('reads version 2', () => {
    const tape = readAs('go-vcr', cassette(`|+\n${LINES}`));
    const [only] = tape.interactions;
    assert.equal(tape.version, '2');
    assert.equal(only?.id, undefined);
    assert.equal(only?.response?.content, 'Good day');
    assert.deepEqual(only.timing, { durationMs: 61_500 });
    for (const [duration, ms] of [
      ['85.5µs', 0.0855],
      ['2ns', 0.000002],
      ['', undefined],
      ['1.5', undefined],
    ]) {
      const text = cassette(`|+\n${LINES}`).replace('1m1.5s', `${duration || '""'}`);
      assert.equal(readAs('go-vcr', text).interactions[0]?.timing?.durationMs, ms);
    }
  });

  it('reads version 1', () => {
    const text = `---
version: 1
interactions:
- request:
    body: '{"messages":[{"role":"user","content":"Hello"}]}'
    form: {}
    headers: {}
    url: https://api.openai.com/v1/chat/completions
    method: POST
  response:
    body: '{"choices":[{"message":{"role":"assistant","content":"Hi"}}]}'
    headers: {}
    status: 200 OK
    code: 200
    duration: ""
`;
    const tape = readAs('go-vcr', text);
    assert.equal(tape.version, '1');
    assert.equal(tape.interactions[0]?.response?.content, 'Hi');
    assert.deepEqual(readAs('go-vcr', '---\nversion: 2\ninteractions: []\n').interactions, []);
  });

  it('says that it does not know a version', () => {
    const { problems } = goVcrFormat.read(tapeFileFromText(cassette('""').replace('version: 2', 'version: 3')));
    assert.match(
      problems.find(({ severity }) => severity === 'warning')?.message ?? '',
      /unsupported cassette version/,
    );
  });

  it('changes only the events that change, and the length that was right', () => {
    const text = cassette(`|+\n${LINES}`, STREAM.length);
    const edited = editAnswer(tapeFileFromText(text), 0, 'Good night');
    assert.deepEqual(edited.dependents, ['response.content_length']);
    assert.equal(
      edited.text,
      text.replace('" day"', '" night"').replace(`: ${STREAM.length}`, `: ${STREAM.length + 2}`),
    );
  });

  it('wraps binary bodies as yaml.v3 does', () => {
    const bytes = (...texts: readonly string[]): Uint8Array =>
      eventStream(
        ...texts.map((text): [string, { delta: { text: string } }] => ['contentBlockDelta', { delta: { text } }]),
      );
    const wrapped = (...texts: readonly string[]): string =>
      `!!binary |\n${encodeBase64(bytes(...texts))
        .replace(/.{1,70}/g, '      $&\n')
        .trimEnd()}`;
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream';
    const { text } = editAnswer(tapeFileFromText(cassette(wrapped('Good', ' day'), -1, url)), 0, 'Good night');
    assert.equal(text, cassette(wrapped('Good', ' night'), -1, url));
  });

  it('may have notes of a program in a second document, which go-vcr does not read either', () => {
    const read = (second: string) =>
      goVcrFormat
        .read(tapeFileFromText(`${cassette('Hello')}---\n${second}`))
        .problems.map(({ severity, message }) => `${severity}: ${message}`);
    assert.deepEqual(read('env_name: dev-1\ntime: "1775755285"\nretry: true\n'), [
      'info: a second document of YAML is not shown: `env_name`, `time`, and `retry`',
    ]);
    for (const second of [
      'interactions:\n- request: {url: "https://a.example"}\n',
      'note: {text: a}\n',
      `env: ${'x'.repeat(300)}\n`,
      'prompt: Say hello.\n',
      '- a\n',
      'a: 1\n---\nb: 2\n',
    ])
      assert.match(read(second).join(), /^error: content was not read: a second document of YAML$/, second);
  });
});
