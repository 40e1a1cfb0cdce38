import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SecretSearch } from '../../../src/core/secrets/secretSearch';
import { secretsLeft } from '../../../src/core/secrets/secretsLeft';
import { formatById } from '../../../src/core/tapes/registry';
import { decodeTapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isRecordable, newTapeFile } from '../../../src/core/tapes/writableFormat';
import { corpusSuite } from '../../corpus';

const KEY = `sk-proj-${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'}`;
const VALUE = 'corr3ct/Horse"Battery+Staple';
const search = new SecretSearch({ values: [VALUE] });

const chunk = (delta: object): object => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta }] });
const inPieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
const sse = (frames: readonly object[]): string => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
const call = (args: string): object =>
  chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: args } }] });

/** Bodies of responses with a secret in them. */
const bodies: Readonly<Record<string, (secret: string) => string | Buffer>> = {
  plain: (secret) => JSON.stringify({ note: secret }),
  escaped: (secret) =>
    `{"note":"${Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
  'in base64': (secret) => JSON.stringify({ data: Buffer.from(`it is ${secret}`).toString('base64') }),
  'in a data URL': (secret) =>
    JSON.stringify({
      url: `data:application/octet-stream;base64,${Buffer.from(`\0\x01\xff${secret}\xff${'\0'.repeat(40)}`, 'latin1').toString('base64')}`,
    }),
  'in a URL': (secret) => JSON.stringify({ url: `https://host/files/${encodeURIComponent(secret)}/content` }),
  'in gzip': (secret) => gzipSync(JSON.stringify({ note: secret })),
  'in an archive': (secret) =>
    gzipSync(
      Buffer.concat([
        Buffer.from('a.json\0\0\xff', 'latin1'),
        Buffer.from(JSON.stringify({ note: secret })),
        Buffer.alloc(9),
      ]),
    ),
  'in a damaged gzip file': (secret) => gzipSync(JSON.stringify({ note: secret, more: 'and so on' })).subarray(0, -4),
  'in brotli': (secret) => brotliCompressSync(JSON.stringify({ note: secret })),
  'in UTF-16': (secret) => Buffer.from(`\ufeff{"note":"${secret}"}`, 'utf16le'),
  'in pieces of arguments': (secret) => sse(inPieces(`{"note": "${secret}"}`, 4).map(call)),
  'in pieces of reasoning': (secret) => sse(inPieces(secret, 3).map((reasoning) => chunk({ reasoning }))),
  'in pieces of one character': (secret) => sse(inPieces(secret, 1).map((content) => chunk({ content }))),
  'in pieces of an unknown stream': (secret) => sse(inPieces(secret, 5).map((w) => ({ a: [{ w }] }))),
  'in pieces of lines': (secret) =>
    inPieces(secret, 5)
      .map((response) => `${JSON.stringify({ model: 'm', response })}\n`)
      .join(''),
  'in pieces of named lines': (secret) =>
    inPieces(secret, 5)
      .map((text) => `0:${JSON.stringify(text)}\n`)
      .join(''),
  'in pieces of a list': (secret) =>
    JSON.stringify(inPieces(secret, 6).map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] }))),
};

const URL = 'https://api.openai.com/v1/chat/completions';

/** Tapes that hold a body. */
const tapes: Readonly<Record<string, (body: string | Buffer) => readonly [path: string, text: string]>> = {
  vcrpy: (body) => {
    const stored =
      typeof body === 'string'
        ? `string: ${JSON.stringify(body)}`
        : `string: !!binary |\n        ${body.toString('base64').replace(/.{76}/g, '$&\n        ')}`;
    const encoding = typeof body === 'string' ? '' : '\n      content-encoding: [br]';
    return [
      'a.yaml',
      `version: 1\ninteractions:\n- request:\n    method: POST\n    uri: ${URL}\n    body: '{}'\n    headers: {}\n  response:\n    body:\n      ${stored}\n    headers:\n      x-a: [b]${encoding}\n    status: {code: 200, message: OK}\n`,
    ];
  },
  har: (body) => {
    const content = typeof body === 'string' ? { text: body } : { text: body.toString('base64'), encoding: 'base64' };
    const headers = typeof body === 'string' ? [] : [{ name: 'content-encoding', value: 'br' }];
    const entry = {
      request: { method: 'POST', url: URL, headers: [], postData: { mimeType: 'application/json', text: '{}' } },
      response: { status: 200, headers, content: { mimeType: 'application/json', ...content } },
    };
    return [
      'a.har',
      JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries: [entry] } }),
    ];
  },
};

describe('the secrets that are left on a tape', () => {
  for (const [format, write] of Object.entries(tapes)) {
    for (const [name, body] of Object.entries(bodies)) {
      it(`are found ${name}, in ${format}`, () => {
        for (const secret of [KEY, VALUE]) {
          const [path, text] = write(body(secret));
          const found = secretsLeft(tapeFileFromText(text, path), search);
          assert.ok(found.length > 0, `${secret} in ${text}`);
          assert.ok(!JSON.stringify(found).includes(secret.slice(0, 12)), 'nothing shows it');
        }
        const [path, text] = write(body('nothing that anybody hides'));
        assert.deepEqual(secretsLeft(tapeFileFromText(text, path), search), []);
      });
    }
  }

  it('are found in tapes without HTTP', () => {
    const mofa = JSON.stringify({ version: 1, case_name: 'a', interactions: [{ response: `it is ${KEY}` }] });
    assert.deepEqual(
      secretsLeft(tapeFileFromText(mofa)).map(({ rule, where }) => [rule, where]),
      [['openai-key', 'text']],
    );
  });

  it('are found where a file has bytes that are no text', () => {
    const httprr = formatById('httprr');
    assert.ok(isRecordable(httprr));
    const http = (key: string) => ({
      method: 'POST',
      url: URL,
      requestHeaders: [['content-type', 'text/plain']] as const,
      requestBody: { type: 'text', text: `it is ${key}` } as const,
      status: 200,
      responseHeaders: [],
      responseBody: { type: 'base64', base64: '/wD+AQ==' } as const,
    });
    const left = (key: string) => secretsLeft(newTapeFile(httprr, 'n', [{ kind: 'http', http: http(key) }]));
    assert.deepEqual([left(KEY).map(({ rule }) => rule), left('nothing')], [['openai-key'], []]);
  });

  it('are reported once each, where they stand', () => {
    const [path, text] = (tapes.har ?? assert.fail())(JSON.stringify({ a: KEY, b: JSON.stringify({ c: `${KEY}z` }) }));
    const found = secretsLeft(tapeFileFromText(text, path));
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      [KEY, `${KEY}z`],
    );
  });
});

/** A recorder that keeps the key of each request. */
const LEAKING = /[/\\]pytest_llm_vcr[/\\]/;
/** A project left the key of an index in a header, in two requests. */
const KEPT_KEYS = Array(2).fill([
  'packages__opentelemetry-instrumentation-pinecone__tests__cassettes__test_query__test_pinecone_retrieval.yaml',
  'named-secret',
  'Api-Key: … (36 characters)',
]);

corpusSuite('the recordings of public projects', (folder) => {
  it('have no secrets: whatever is reported would be a false alarm', () => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile()) return [];
      const path = join(entry.parentPath, entry.name);
      if (LEAKING.test(path)) return [];
      return secretsLeft(decodeTapeFile(path, readFileSync(path))).map(({ rule, excerpt }) => [
        entry.name,
        rule,
        excerpt,
      ]);
    });
    assert.deepEqual(found, KEPT_KEYS);
  });
});
