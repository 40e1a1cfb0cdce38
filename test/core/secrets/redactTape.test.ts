import assert from 'node:assert/strict';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { HttpBody } from '../../../src/core/model/http';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import type { Tape } from '../../../src/core/model/tape';
import { findSecrets } from '../../../src/core/secrets/findSecrets';
import { redactTape } from '../../../src/core/secrets/redactTape';
import { readTape } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isWritable } from '../../../src/core/tapes/writableFormat';
import { applySplices } from '../../../src/core/text/splice';
import { formatOf, RUNS } from '../tapes/editing';
import { randomFrom } from '../tapes/mutations';

const random = randomFrom(23);
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const chance = (length: number): string =>
  Array.from({ length }, () => ANY.charAt(Math.floor(random() * ANY.length))).join('');
const KEY = `gsk_${chance(52)}`;
const OTHER = `sk-ant-${chance(40)}`;
const PEM = `-----BEGIN ${'PRIVATE'} KEY-----\n${chance(64)}\n${chance(64)}\n-----END ${'PRIVATE'} KEY-----`;

const PACKINGS: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => gzipSync(text),
  (text) => deflateSync(text),
];

interface Redacted {
  readonly text: string;
  readonly tape: Tape;
  readonly dependents: readonly string[];
}

/** Redacts and checks what always holds: the file is as sound as it was, nothing of the values is left, nor any secret. */
function redact(file: TapeFile, values?: readonly string[]): Redacted {
  const outcome = redactTape(file, values);
  assert.ok(!('refused' in outcome), JSON.stringify(outcome));
  const text = applySplices(file.text, outcome.splices);
  const format = formatOf(file);
  const after = tapeFileFromText(text, file.path);
  const [before, tape] = [format.read(file), format.read(after)];
  assert.deepEqual(
    tape.problems.map(({ message }) => message),
    before.problems.map(({ message }) => message),
  );
  for (const { value } of outcome.substitutes) assert.ok(value.length < 16 || !text.includes(value));
  if (values === undefined) assert.deepEqual(findSecrets(text), []);
  const again = redactTape(
    after,
    outcome.substitutes.map(({ value }) => value),
  );
  assert.deepEqual('refused' in again ? again : again.splices, []);
  return { text, tape, dependents: outcome.dependents };
}

const chat = (request: string, answer: string): RecordedInteraction => ({
  kind: 'llm',
  request: { model: 'gpt-4o', messages: [{ role: 'user', content: request, toolCalls: [] }], tools: [], params: {} },
  response: { content: answer, toolCalls: [], finishReason: 'stop' },
});

const exchange = (requestBody: HttpBody, responseBody: HttpBody, length?: number): RecordedInteraction => ({
  kind: 'http',
  http: {
    method: 'POST',
    url: `https://api.example.com/v1/things?key=${KEY}`,
    requestHeaders: [
      ['authorization', `Bearer ${KEY}`],
      ['content-type', 'application/json'],
    ],
    requestBody,
    status: 200,
    responseHeaders: length === undefined ? [] : [['content-length', `${length}`]],
    responseBody,
  },
});

function written(id: string, interactions: readonly RecordedInteraction[]): TapeFile {
  const format = formats.filter(isWritable).find((one) => one.id === id);
  assert.ok(format, id);
  return tapeFileFromText(format.serialise('a tape', interactions), /yaml|vcr/.test(id) ? 'tape.yaml' : 'tape.json');
}

describe('taking secrets out of a tape', () => {
  it('leaves the same placeholder for the same secret, in every format that is written', () => {
    for (const format of formats.filter(isWritable)) {
      const file = tapeFileFromText(format.serialise('a tape', [chat(`My key is ${KEY}.`, `${KEY}? And ${OTHER}?`)]));
      if (!file.text.includes(KEY)) continue;
      const { tape } = redact(file);
      const answer = tape.interactions.find(({ response }) => response?.content)?.response?.content;
      if (answer !== undefined) assert.match(`${answer}`, /^REDACTED-(\d)\? And REDACTED-(?!\1)\d\?$/, format.id);
    }
  });

  it('changes nothing but the secret', () => {
    const file = written('mofa', [chat(`My key is ${KEY}.`, 'Thanks.'), chat('Und „so“ weiter: 1.0', `${KEY}`)]);
    assert.equal(redact(file).text, file.text.replaceAll(KEY, 'REDACTED-1'));
  });

  it('numbers go on after those that the file has', () => {
    const file = written('mofa', [chat('REDACTED-7', KEY)]);
    assert.equal(redactTape(file, [KEY]) && redact(file).tape.interactions[0]?.response?.content, 'REDACTED-8');
  });

  it('finds them in JSON inside of strings, with every escape', () => {
    const secret = 'pässword/with+"all"&\\';
    const args = JSON.stringify({ a: secret });
    for (const text of [
      JSON.stringify(args),
      JSON.stringify(args).replaceAll('/', '\\/'),
      JSON.stringify(JSON.stringify(args)).replace(/[^ -~]|[+&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`),
    ]) {
      const file = tapeFileFromText(written('mofa', [chat('?', 'HERE')]).text.replace('"HERE"', text));
      const { text: after } = redact(file, [secret]);
      assert.match(after, /REDACTED-1/);
      assert.ok(!after.includes('word'), after);
    }
  });

  it('finds private keys of many lines, in strings and in the blocks of YAML', () => {
    for (const id of ['mofa', 'vcrpy', 'ruby-vcr']) {
      const file = written(id, [chat(`This:\n${PEM}`, 'No.')]);
      assert.match(redact(file).text, /REDACTED-1/);
    }
    const yaml = `interactions:\n- request:\n    body: |\n      Key:\n      ${PEM.replaceAll('\n', '\n      ')}\n    headers: {}\n    method: POST\n    uri: https://a/\n  response:\n    body: {string: ''}\n    headers: {}\n    status: {code: 200, message: OK}\nversion: 1\n`;
    assert.match(redact(tapeFileFromText(yaml, 'a.yaml')).text, /body: \|\n {6}Key:\n {6}REDACTED-1/);
  });

  it('goes into base64 and compressed bodies, and their lengths follow', () => {
    const json = JSON.stringify({ note: 'ä', token: KEY, more: 'x'.repeat(400) });
    for (const pack of PACKINGS) {
      const packed = pack(json);
      const body: HttpBody = { type: 'base64', base64: packed.toString('base64') };
      for (const id of ['vcrpy', 'ruby-vcr']) {
        const file = written(id, [exchange({ type: 'text', text: json }, body, packed.length)]);
        const { tape, dependents } = redact(file);
        const http = tape.interactions[0]?.http;
        assert.ok(http);
        const authorization = http.requestHeaders.find(([name]) => /^authorization$/i.test(name))?.[1];
        assert.equal(authorization, 'Bearer REDACTED-1', id);
        const length = http.responseHeaders.find(([name]) => /content-length/i.test(name))?.[1];
        const stored =
          http.responseBody.type === 'base64'
            ? Buffer.from(http.responseBody.base64, 'base64').length
            : Buffer.byteLength(http.responseBody.type === 'text' ? http.responseBody.text : '');
        assert.equal(length, `${stored}`, id);
        assert.deepEqual(dependents, ['content-length'], id);
      }
    }
  });

  it('goes into an archive that is compressed', () => {
    const packed = gzipSync(
      Buffer.concat([Buffer.from('a\0\xff', 'latin1'), Buffer.from(`token: ${KEY}\n`), Buffer.alloc(9)]),
    );
    const body: HttpBody = { type: 'base64', base64: packed.toString('base64') };
    for (const id of ['vcrpy', 'har', 'tapedeck']) {
      const { tape } = redact(written(id, [exchange({ type: 'text', text: '{}' }, body, packed.length)]));
      const stored = tape.interactions[0]?.http?.responseBody;
      assert.ok(stored?.type === 'base64', id);
      assert.match(
        gunzipSync(Buffer.from(stored.base64, 'base64')).toString('latin1'),
        /^a\0\xfftoken: REDACTED-1\n/,
        id,
      );
    }
  });

  it('goes into the pieces of a stream', () => {
    const events = [KEY.slice(0, 5), KEY.slice(5, 20), KEY.slice(20), ' it is.']
      .map(
        (content) =>
          `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`,
      )
      .join('');
    const asked = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Which?' }], stream: true });
    const url = 'https://api.openai.com/v1/chat/completions';
    const stream = exchange({ type: 'text', text: asked }, { type: 'text', text: events });
    assert.ok(stream.http);
    const file = written('vcrpy', [{ ...stream, http: { ...stream.http, url } }]);
    const { tape } = redact(file, [KEY]);
    assert.equal(tape.interactions[0]?.response?.content, 'REDACTED-1 it is.');
  });

  it('goes into the pieces of a call and of what was thought', () => {
    const pieces = [KEY.slice(0, 9), KEY.slice(9)];
    const deltas = [
      ...pieces.map((reasoning) => ({ reasoning })),
      { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'use', arguments: '{"key":"' } }] },
      ...[...pieces, '"}'].map((part) => ({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
    ];
    const events = deltas
      .map(
        (delta) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`,
      )
      .join('');
    const asked = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Use it.' }], stream: true });
    const stream = exchange({ type: 'text', text: asked }, { type: 'text', text: events });
    assert.ok(stream.http);
    const url = 'https://openrouter.ai/api/v1/chat/completions';
    const { tape } = redact(written('vcrpy', [{ ...stream, http: { ...stream.http, url } }]), [KEY]);
    assert.deepEqual(tape.interactions[0]?.response?.toolCalls[0]?.arguments, { key: 'REDACTED-1' });
    assert.match(JSON.stringify(tape.interactions[0]?.response?.parts), /"REDACTED-1"/);
  });

  it('keeps the counts of httprr right, chunks and all', () => {
    const body = `{"key":"${KEY}"}`;
    const request = `POST http://a/?key=${KEY} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const chunk = `Ihr Schlüssel: ${KEY}`;
    const response = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
    const file = tapeFileFromText(
      `httprr trace v1\n${Buffer.byteLength(request)} ${Buffer.byteLength(response)}\n${request}${response}`,
    );
    const { text, dependents } = redact(file);
    assert.deepEqual(dependents, ['content-length', 'chunk sizes', 'byte counts']);
    assert.match(
      text,
      /Content-Length: 20\r\n\r\n\{"key":"REDACTED-1"\}HTTP[\s\S]*\r\n1a\r\nIhr Schlüssel: REDACTED-1\r\n0/,
    );
  });

  it('keeps the hash of a cassette right, and a wrong one wrong', () => {
    const file = written('checkagent', [chat(`My key is ${KEY}.`, KEY)]);
    assert.deepEqual(redact(file).dependents, ['hashes and ids']);
    const wrong = tapeFileFromText(file.text.replace(/("content_hash": ")..../, '$1dead'));
    assert.match(redact(wrong).text, /"content_hash": "dead/);
  });

  it('does not take a short value for what is in a picture by chance', () => {
    const picture = Buffer.from(gzipSync(chance(3000)).map((byte) => byte ^ 0x5a)).toString('base64');
    const value = picture.slice(100, 104);
    const file = written('mofa', [chat(picture, `It says ${value}`)]);
    const { tape } = redact(file, [value]);
    assert.equal(tape.interactions[0]?.request?.messages[0]?.content, picture);
    assert.equal(tape.interactions[0]?.response?.content, 'It says REDACTED-1');
  });

  it('refuses what it cannot write, whole and with the place', () => {
    const zip = decodeTapeFile('a.eval', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]));
    assert.match(JSON.stringify(redactTape(zip, [KEY])), /^\{"refused":"/);
    const number = tapeFileFromText('{"version":1,"interactions":[]}'.replace('1', '7654321'));
    assert.match(JSON.stringify(redactTape(number, ['7654321'])), /not a tape/);
    const odd = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(`{"key":"${KEY}","more":"and more"}`)]);
    const file = written('mofa', [chat(odd.toString('base64'), 'ok')]);
    assert.match(JSON.stringify(redactTape(file, [KEY])), /^\{"refused":"Interaction 1 has a value in an encoding/);
  });

  it('holds for any text and any value in it', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 30 })
      .filter((text) => !/[\s"]|^[\d.e-]+$/i.test(text));
    fc.assert(
      fc.property(
        value,
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('mofa', 'checkagent', 'vcrpy', 'r-vcr'),
        (secret, other, id) => {
          const file = written(id, [chat(`${other}${secret}`, `${secret}${other}`)]);
          const outcome = redactTape(file, [secret]);
          if ('refused' in outcome) return;
          const tape = readTape(tapeFileFromText(applySplices(file.text, outcome.splices), file.path));
          assert.equal(tape?.interactions[0]?.response?.content, `${secret}${other}`.replaceAll(secret, 'REDACTED-1'));
        },
      ),
      RUNS,
    );
  });
});
