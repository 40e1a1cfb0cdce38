import assert from 'node:assert/strict';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import { rubyVcrFormat, rVcrFormat } from '../../../../src/core/tapes/formats/rubyVcr/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, readAs } from '../editing';

const ANSWER = '{"choices":[{"message":{"role":"assistant","content":"15 °C"}}]}';
const base64 = (text: string): string => encodeBase64(new TextEncoder().encode(text));

function cassette(body: string): string {
  return `---
http_interactions:
- request:
    method: post
    uri: https://api.openai.com/v1/chat/completions
    body:
      encoding: UTF-8
      string: '{"model":"gpt-4o","messages":[{"role":"user","content":"Weather?"}]}'
    headers:
      Accept:
      - "*/*"
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Length:
      - '${new TextEncoder().encode(ANSWER).length}'
    body:
      encoding: ASCII-8BIT
      ${body}
  recorded_at: Wed, 19 Aug 2026 14:35:49 GMT
recorded_with: VCR 6.4.0
`;
}

describe('the Ruby VCR format', () => {
  it("reads the first cassettes of Python's Betamax, which have the status under another name", () => {
    const request = { method: 'GET', uri: 'https://example.com/', headers: {}, body: '' };
    const response = { status_code: 201, headers: {}, body: { string: 'made', encoding: 'utf-8' } };
    const { interactions, problems } = readAs(
      'ruby-vcr',
      JSON.stringify({ http_interactions: [{ request, response }] }),
    );
    assert.equal(interactions[0]?.http?.status, 201);
    assert.deepEqual(problems, []);
  });

  it('reads what was asked and answered, and when', () => {
    const tape = readAs('ruby-vcr', cassette(`string: '${ANSWER}'`));
    const [only] = tape.interactions;
    assert.equal(tape.version, 'VCR 6.4.0');
    assert.equal(only?.http?.method, 'POST');
    assert.equal(only.request?.messages[0]?.content, 'Weather?');
    assert.equal(only.response?.content, '15 °C');
    assert.equal(only.timing?.recordedAt, 'Wed, 19 Aug 2026 14:35:49 GMT');
  });

  it('reads what Psych or a setting has made base64, and cassettes in JSON', () => {
    const bodies = [`string: !binary |-\n        ${base64(ANSWER)}`, `base64_string: |\n        ${base64(ANSWER)}`];
    for (const body of bodies) {
      assert.equal(readAs('ruby-vcr', cassette(body)).interactions[0]?.response?.content, '15 °C');
    }
    const json = {
      http_interactions: [
        {
          request: {
            method: 'post',
            uri: 'https://api.openai.com/v1/chat/completions',
            body: { string: '{"messages":[]}' },
            headers: {},
          },
          response: { status: { code: 200, message: 'OK' }, headers: {}, body: { encoding: 'UTF-8', string: ANSWER } },
        },
      ],
      recorded_with: 'VCR 6.4.0',
    };
    assert.equal(readAs('ruby-vcr', JSON.stringify(json)).interactions[0]?.response?.content, '15 °C');
  });

  it('writes base64 on one line, as Psych does', () => {
    const text = cassette(`string: !binary |-\n        ${base64(ANSWER)}`);
    const changed = ANSWER.replace('15', `${'almost '.repeat(40)}15`);
    const edited = editAnswer(tapeFileFromText(text), 0, `${'almost '.repeat(40)}15 °C`);
    assert.deepEqual(edited.dependents, ['content-length']);
    assert(edited.text.includes(`string: !binary |-\n        ${base64(changed)}\n  recorded_at`));
    assert(edited.text.includes(`- '${new TextEncoder().encode(changed).length}'`));
    const { text: decoded } = editAnswer(tapeFileFromText(cassette(`base64_string: ${base64(ANSWER)}`)), 0, '16 °C');
    assert(decoded.includes(`base64_string: ${base64(ANSWER.replace('15', '16'))}\n`));
  });

  it('says where base64 is broken', () => {
    const { problems } = rubyVcrFormat.read(tapeFileFromText(cassette('string: !binary |-\n        AAA$')));
    assert.match(problems.find(({ severity }) => severity === 'error')?.message ?? '', /not valid base64/);
  });
});

const R = `http_interactions:
- request:
    method: POST
    uri: https://api.openai.com/v1/chat/completions
    body:
      string: '{"model":"gpt-4o","messages":[{"role":"user","content":"Weather?"}]}'
  response:
    status: 200
    headers:
      content-encoding: br
      content-type: application/json
      vary:
      - Origin
      - X-Origin
    body:
      string: |
        {
          "choices": [{"message": {"role": "assistant", "content": "15 °C"}}]
        }
  recorded_at: 2026-08-02 17:44:02
recorded_with: VCR-vcr/2.1.0
`;

describe('the R vcr format', () => {
  it('reads a status that is a number, single headers, and decoded bodies whose headers say otherwise', () => {
    const [only] = readAs('r-vcr', R).interactions;
    assert.equal(only?.http?.status, 200);
    assert.equal(only.http.responseHeaders.length, 4);
    assert.equal(only.response?.content, '15 °C');
    assert.equal(only.timing?.recordedAt, '2026-08-02 17:44:02');
  });

  it('reads version 1', () => {
    const old = R.replace('status: 200', "status:\n      status_code: '200'\n      message: OK").replace(
      /recorded_with.*\n/,
      '',
    );
    const [only] = readAs('r-vcr', old).interactions;
    assert.equal(only?.http?.status, 200);
    assert.equal(only.response?.content, '15 °C');
  });

  it('is known by what wrote it, however old that is, though its requests have headers', () => {
    const headed = R.replace('    body:', '    headers:\n      Accept: text/html\n    body:');
    const writers = ['recorded_with: vcr/1.7.0.91, webmockr/2.0.0', '  recorded_with: vcr/0.5.4, webmockr/0.5.0'];
    for (const writer of writers) {
      const text = headed.replace('recorded_with: VCR-vcr/2.1.0', writer);
      assert.equal(readAs('r-vcr', text).interactions[0]?.response?.content, '15 °C');
    }
    assert.equal(rVcrFormat.looksLike(tapeFileFromText(R.replace('VCR-vcr/2.1.0', 'VCR 6.1.0'))), false);
  });

  it('says that a body on disk is elsewhere, which is not replayed as an empty one', () => {
    const responseAt = R.indexOf('  response:');
    const onDisk =
      R.slice(0, responseAt) +
      R.slice(responseAt).replace(
        / {4}body:\n {6}string: .*\n(?: {8}.*\n)*/,
        '    body:\n      file: yes\n      string: ../files/a.pdf\n',
      );
    const { interactions, problems } = rVcrFormat.read(tapeFileFromText(onDisk));
    assert.deepEqual(interactions[0]?.http?.notKept, { why: 'elsewhere', file: '../files/a.pdf' }, onDisk);
    assert.match(problems.map(({ message }) => message).join(), /not replayed: .* in another file/);
  });

  it('reads an upload as its fields', () => {
    const upload = R.replace(
      / {4}body:\n {6}string: '.*'\n/,
      '    body:\n      fields:\n        file: a.pdf\n',
    ).replace('chat/completions', 'files');
    assert.deepEqual(readAs('r-vcr', upload).interactions[0]?.http?.requestBody, {
      type: 'json',
      json: { file: 'a.pdf' },
    });
  });

  it('changes only the text', () => {
    assert.equal(editAnswer(tapeFileFromText(R), 0, '16 °C').text, R.replace('15 °C', '16 °C'));
    assert.equal(rVcrFormat.looksLike(tapeFileFromText(cassette(`string: '${ANSWER}'`))), false);
  });
});
