import assert from 'node:assert/strict';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { decodeTapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { verifyFile } from '../../../src/core/verify/verifyFile';

const MOFA = '{"version": 1, "case_name": "c", "interactions": [{"response": "a"}]}';
const CASSETTE = `interactions:
- request:
    body: null
    headers: {}
    method: GET
    uri: https://api.example.com/
  response:
    body:
      string: hello
    headers: {}
    status:
      code: 200
      message: OK
version: 1
`;

/** `rule line:text` for every finding. */
function found(text: string, path = 'a.json'): string[] {
  const verified = verifyFile(tapeFileFromText(text, path));
  return (verified?.findings ?? []).map(({ rule, span }) => `${rule} ${text.slice(span.start, span.end).slice(0, 20)}`);
}

/** A recorded call of a model with this body of its response, as YAML. */
function callTape(body: string): string {
  return CASSETTE.replace('method: GET', 'method: POST')
    .replace('body: null', 'body: \'{"messages":[{"role":"user","content":"Hi"}]}\'')
    .replace('api.example.com/', 'api.openai.com/v1/chat/completions')
    .replace('string: hello', body);
}

describe('verifying a file', () => {
  it('reports a stream that ends early, at its body', () => {
    const stream = (end: string) =>
      callTape(`string: 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n\n        ${end}\n\n\n        '`);
    assert.deepEqual(found(stream('data: [DONE]'), 'a.yaml'), []);
    assert.deepEqual(found(stream('data: {"choices":[{"ind'), 'a.yaml'), ["format '", "format '"]);
    const verified = verifyFile(tapeFileFromText(stream(': cut'), 'a.yaml'));
    assert.deepEqual(
      verified?.findings.map(({ severity, message }) => [severity, message.slice(0, 30)]),
      [['warning', 'The recorded stream ends early']],
    );
  });

  it('reports damaged gzip data at its body', () => {
    const damaged = Buffer.from(gzipSync(strToU8('{"choices":[]}'.repeat(20))))
      .subarray(0, -12)
      .toString('base64');
    const text = callTape(`string: !!binary |\n        ${damaged}`).replace(
      'headers: {}\n    status',
      'headers: {content-encoding: [gzip]}\n    status',
    );
    const [finding] = verifyFile(tapeFileFromText(text, 'a.yaml'))?.findings ?? [];
    assert.match(finding?.message ?? '', /gzip data that cannot be decompressed/);
    assert.equal(finding?.span.start, text.indexOf('|\n'));
  });

  it('finds nothing in a cassette without interactions', () => {
    for (const text of [
      'version: 1\ninteractions: []\n',
      "'interactions': []\n",
      '---\nversion: 2\ninteractions: []\n',
    ])
      assert.deepEqual(verifyFile(tapeFileFromText(text, 'a.yaml'))?.findings, []);
  });

  it('lists the first thousand keys that stand twice', () => {
    const rules = found(MOFA.replace('"version": 1', `"version": 1${', "version": 1'.repeat(5000)}`));
    assert.equal(rules.filter((rule) => rule.startsWith('duplicate-key')).length, 1000);
  });

  it('finds nothing in a tape that is in order', () => {
    assert.deepEqual(found(MOFA), []);
    assert.deepEqual(found(CASSETTE, 'a.yaml'), []);
    assert.deepEqual(found(CASSETTE, ''), []);
  });

  it('is not asked about what is no tape', () => {
    for (const text of ['{"a": 1}', 'a: 1\n', 'words', '# A title\n'])
      assert.equal(verifyFile(tapeFileFromText(text, 'a.txt')), undefined);
  });

  it('points at the second of two names', () => {
    assert.deepEqual(found(MOFA.replace('"version": 1', '"version": 1, "version": 1')), ['duplicate-key "version"']);
    assert.deepEqual(found(CASSETTE.replace('    method: GET', '    method: GET\n    method: PUT'), 'a.yaml'), [
      'duplicate-key method',
    ]);
    const lines =
      '{"method": "countTokens", "response": {"a": 1}}\n{"method": "countTokens", "method": "countTokens", "response": {}}\n';
    const places = verifyFile(tapeFileFromText(lines, 'a.responses'))?.findings.filter(
      ({ rule }) => rule === 'duplicate-key',
    );
    assert.deepEqual(
      places?.map(({ span }) => span.start),
      [lines.lastIndexOf('"method"')],
    );
  });

  it('points at the character that is not base64, in YAML, JSON and data URLs', () => {
    const yaml = CASSETTE.replace('string: hello', 'string: !!binary |\n        aGVsbG8g\n        d29y*bGQ=');
    assert.deepEqual(found(yaml, 'a.yaml'), ['base64 *']);
    const url = MOFA.replace('"a"', '"data:image/png;base64,AA?A"');
    assert.deepEqual(found(url), ['base64 ?']);
    assert.deepEqual(found(MOFA.replace('"a"', '"data:image/png;base64,AAAA"')), []);
    assert.deepEqual(found(MOFA.replace('"a"', '"say data:image/png;base64,AA?A"')), [], 'it is a text that names one');
    for (const written of [
      '"\\u0064ata:image/png;base64,AA?A"',
      "'data:image/png;base64,AA?A'",
      'data:image/png;base64,AA?A',
      '"\\\n    data:image/png;base64,AA?A"',
      '\n    data:image/png;base64,AA?A',
      '>-\n    data:image/png;base64,AA?A',
      '|\n    data:image/png;base64,AA?A',
      '!!str data:image/png;base64,AA?A',
      '&image data:image/png;base64,AA?A',
    ]) {
      const text = CASSETTE.replace('string: hello', `string: ${written.replace('    data', '        data')}`);
      assert.deepEqual(
        found(text, 'a.yaml').map((one) => one.split(' ')[0]),
        ['base64'],
        written,
      );
    }
  });

  it('warns of a compressed body that is damaged, and only mentions what may be another thing', () => {
    const told = (bytes: Uint8Array, header = '{}'): unknown => {
      const body = `string: !!binary ${Buffer.from(bytes).toString('base64')}\n    headers: ${header}`;
      const text = CASSETTE.replace('string: hello\n    headers: {}', body);
      return verifyFile(tapeFileFromText(text, 'a.yaml'))?.findings.map(({ severity }) => severity);
    };
    const gzip = gzipSync(strToU8('hello, '.repeat(20)));
    const flipped = gzip.map((byte, at) => (at === 14 ? byte ^ 1 : byte));
    assert.deepEqual(told(gzip), []);
    const zstd = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x10, 0xff]);
    for (const [bytes, coding] of [
      [gzip.subarray(0, -9), 'gzip'],
      [flipped, 'gzip'],
      [zstd, 'zstd'],
    ] as const) {
      assert.deepEqual(told(bytes, `{content-encoding: [${coding}]}`), ['warning']);
      assert.deepEqual(told(bytes), [], 'a file that was asked for may be anything');
      assert.deepEqual(told(gzipSync(bytes), '{content-encoding: [gzip]}'), [], 'also where HTTP compressed it');
    }
    assert.deepEqual(told(new Uint8Array([0x91, 0x00, 0xff, 0xaa, 0x55, 0x13]), '{content-encoding: [br]}'), ['info']);
    assert.deepEqual(
      found(CASSETTE.replace('headers: {}\n    status', 'headers: {content-encoding: [gzip]}\n    status')),
      [],
    );
  });

  it('says of a compressed file that is too large to be searched that it was not, and nothing of damage', () => {
    const file = Buffer.from(gzipSync(new Uint8Array(40 * 2 ** 20))).toString('base64');
    const text = CASSETTE.replace('string: hello', `string: !!binary ${file}`);
    const told = verifyFile(tapeFileFromText(text, 'a.yaml'))?.findings ?? [];
    assert.deepEqual(
      told.map(({ severity, message, fix }) => [severity, message.slice(0, 62), fix?.slice(0, 31)]),
      [
        [
          'warning',
          'The body is a gzip file that was not searched for secrets: it ',
          'Look for secrets in it yourself',
        ],
      ],
    );
  });

  it('knows what was cut off, even between two lines', () => {
    assert.deepEqual(found(CASSETTE.slice(0, CASSETTE.indexOf('    status'))), ['cut-off r'], 'before the status');
    assert.deepEqual(found(CASSETTE.trimEnd(), 'a.yaml'), [], 'only the last line end');
    assert.deepEqual(found(CASSETTE.slice(0, CASSETTE.indexOf('00')), 'a.yaml').at(-1), 'cut-off 2', 'in the status');
    assert.deepEqual(found(CASSETTE.slice(0, CASSETTE.indexOf('    headers')), 'a.yaml'), ['cut-off \n']);
    assert.deepEqual(found(MOFA.slice(0, 60))[0], 'format "');
    assert.deepEqual(found(MOFA.slice(0, 30))[0], 'syntax "');
  });

  it('does not take a request that failed for one whose response was cut off', () => {
    const request = { body: '', headers: [], method: 'get', options: [], request_body: '', url: 'http://localhost/' };
    const failed = { body: 'nxdomain', headers: [], status_code: null, type: 'error' };
    const wiremock = { mappings: [{ request: { method: 'GET', url: '/a' }, response: { fault: 'EMPTY_RESPONSE' } }] };
    for (const tape of [[{ request, response: failed }], wiremock]) {
      const { findings } = verifyFile(tapeFileFromText(JSON.stringify(tape), 'a.json')) ?? assert.fail('no tape');
      assert.deepEqual(
        findings.map(({ severity, rule }) => [severity, rule]),
        [['info', 'format']],
      );
    }
  });

  it('knows Git LFS pointers, empty files and torn gzip', () => {
    const rules = (bytes: Uint8Array): string[] =>
      (verifyFile(decodeTapeFile('a', bytes))?.findings ?? []).map(({ rule }) => rule);
    assert.deepEqual(rules(strToU8('version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n')), [
      'lfs-pointer',
    ]);
    assert.deepEqual(rules(strToU8('\n')), ['empty']);
    assert.deepEqual(rules(new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2])), ['gzip']);
  });

  it('finds secrets inside a zip by their interaction', () => {
    const secret = `ghp_${Array.from({ length: 36 }, (_, at) => 'qW3eR7tY1u'[at % 10]).join('')}`;
    const output = { choices: [{ message: { role: 'assistant', content: `Take ${secret}.` } }] };
    const sample = { id: 1, epoch: 1, events: [{ event: 'model', input: [{ role: 'user', content: 'hi' }], output }] };
    const zip = zipSync({
      'header.json': strToU8('{"version": 2, "status": "success", "eval": {"task": "t"}}'),
      'samples/1_epoch_1.json': strToU8(JSON.stringify(sample)),
    });
    const [finding, ...more] = verifyFile(decodeTapeFile('a.eval', zip))?.findings ?? [];
    assert.deepEqual(more, []);
    assert.equal(finding?.rule, 'secret/github-token');
    assert.match(finding?.message ?? '', /in interaction 1: ghp_… \(40 characters\)/);
  });

  it('mentions interactions that say the same, and no more', () => {
    const twice = MOFA.replace('[{"response": "a"}]', '[{"response": "a"}, {"response": "b"}, {"response": "a"}]');
    const verified = verifyFile(tapeFileFromText(twice));
    assert.deepEqual(
      verified?.findings.map(({ rule, severity }) => [rule, severity]),
      [['repeated', 'info']],
    );
  });
});
