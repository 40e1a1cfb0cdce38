import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import { vcrpyFormat } from '../../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { decodeBody } from '../../../../src/core/wire/body/body';
import { editAnswer, formatOf, RUNS, readAs } from '../editing';

const URI = 'https://api.openai.com/v1/chat/completions';

/** A cassette as vcrpy writes it; the bodies are YAML. */
function cassette(requestBody: string, responseBody: string, length = ''): string {
  return `interactions:
- request:
    body: ${requestBody}
    headers:
      content-type:
      - application/json
    method: POST
    uri: ${URI}
  response:
    body:
      string: ${responseBody}
    headers:
      content-length:
      - '${length}'
      Content-Type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
`;
}

const ASK = `'{"model": "gpt-4o", "messages": [{"role": "user", "content": "Say it''s fine"}]}'`;
const ANSWER = '{"choices":[{"message":{"role":"assistant","content":"Fine"},"finish_reason":"stop"}]}';

describe('the vcrpy format', () => {
  it('reads what was asked and answered', () => {
    const tape = readAs('vcrpy', cassette(ASK, `'${ANSWER}'`));
    const [only] = tape.interactions;
    assert.equal(tape.version, '1');
    assert.equal(only?.kind, 'llm');
    assert.equal(only.request?.messages[0]?.content, "Say it's fine");
    assert.equal(only.response?.content, 'Fine');
    assert.equal(only.http?.url, URI);
    assert.deepEqual(only.http.responseHeaders, [
      ['content-length', ''],
      ['Content-Type', 'application/json'],
    ]);
  });

  it('reads cassettes in JSON, and those that another program has laid out', () => {
    const entry = {
      request: { body: '{"messages":[]}', headers: {}, method: 'POST', uri: URI },
      response: { body: { string: ANSWER }, headers: {}, status: { code: 200, message: 'OK' } },
    };
    const json = JSON.stringify({ version: 1, interactions: [entry] }, null, 4);
    assert.equal(readAs('vcrpy', `${json}\n`).interactions[0]?.response?.content, 'Fine');
    const indented = cassette(ASK, `'${ANSWER}'`).replace(/^(?=[- ])/gm, '  ');
    assert.equal(
      readAs('vcrpy', `# made by hand\n---\nversion: 1\n${indented.replace(/version.*/, '')}`).interactions.length,
      1,
    );
    assert.deepEqual(readAs('vcrpy', 'interactions: []\nversion: 1\n').interactions, []);
  });

  it('decodes what is binary by its tag', () => {
    const packed = encodeBase64(gzipSync(new TextEncoder().encode(ANSWER)));
    const [only] = readAs('vcrpy', cassette('null', `!!binary |\n        ${packed}`)).interactions;
    assert.equal(only?.response?.content, 'Fine');
    assert.equal(only.http?.requestBody.type, 'none');
  });

  it('reads what Python objects of older versions stand for', () => {
    const io = `!!python/object/new:_io.BytesIO\n      state: !!python/tuple\n      - !!binary |\n        ${encodeBase64(new TextEncoder().encode('{"messages": [{"role": "user", "content": "Hi"}]}'))}\n      - 0\n      - null`;
    for (const body of [
      io,
      io.replace('state: !!python/tuple', 'args:').replace('object/new:_io.BytesIO', 'object/apply:builtins.iter'),
    ]) {
      const [only] = readAs('vcrpy', cassette(body, `!!python/unicode '${ANSWER}'`)).interactions;
      assert.equal(only?.request?.messages[0]?.content, 'Hi');
      assert.equal(only.response?.content, 'Fine');
    }
  });

  it('runs nothing, and warns of tags that make Python run something', () => {
    const harmless = cassette(
      "|\n      - !!python/object/apply:os.system ['true']\n      a: !!python/name:os.system",
      `'${ANSWER}'`,
    );
    const warned = readAs('vcrpy', harmless).problems.filter(({ severity }) => severity === 'warning');
    assert.deepEqual(warned, [], 'in a block scalar');
    const text = cassette("!!python/object/apply:os.system ['true']", `'${ANSWER}'`);
    const { problems, interactions } = vcrpyFormat.read(tapeFileFromText(text));
    assert.equal(interactions[0]?.response?.content, 'Fine');
    const [problem] = problems.filter(({ severity }) => severity === 'warning');
    assert.equal(problem && text.slice(problem.span.start, problem.span.end), '!!python/object/apply:os.system');
  });

  it('reads the names that the recorder for httpx had', () => {
    const old = cassette(ASK, `'${ANSWER}'`)
      .replace(/ {4}body:\n {6}string: (.*)\n/, '    content: $1\n')
      .replace(/ {4}status:\n {6}code: 200\n {6}message: OK\n/, '    http_version: HTTP/1.1\n    status_code: 200\n');
    const [only] = readAs('vcrpy', old).interactions;
    assert.equal(only?.response?.content, 'Fine');
    assert.equal(only.http?.status, 200);
  });

  it('reads a list without a version, and says that vcrpy refuses it', () => {
    const list = cassette(ASK, `'${ANSWER}'`).replace(/^interactions:\n|^version.*\n/gm, '');
    const old = list.replace(
      / {4}uri: .*/,
      '    host: example.com\n    path: /v1/chat/completions\n    port: 8080\n    protocol: http',
    );
    for (const text of [list, old]) {
      const file = tapeFileFromText(text);
      assert.equal(formatOf(file).id, 'vcrpy');
      const { problems, interactions } = vcrpyFormat.read(file);
      assert.match(problems[0]?.message ?? '', /older version of VCR/);
      assert.equal(problems[0]?.span.start, 2);
      assert.equal(interactions[0]?.response?.content, 'Fine');
    }
    assert.equal(
      vcrpyFormat.read(tapeFileFromText(old)).interactions[0]?.http?.url,
      'http://example.com:8080/v1/chat/completions',
    );
  });

  it('leaves files of others to them', () => {
    const others = [
      'interactions:\n- kind: message\n  direction: sent\n',
      'interactions:\n- request:\n    form: {}\n    url: https://example.com\n',
      JSON.stringify({ version: 1, interactions: [{ request: { method: 'GET', url: 'https://example.com' } }] }),
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n',
      'interactions are good\n',
      'version: 1\nname: x\n',
    ];
    for (const text of others) assert.equal(vcrpyFormat.looksLike(tapeFileFromText(text)), false, text);
  });

  it('says what is broken, and reads the rest', () => {
    const text = cassette(ASK, `'${ANSWER}'`)
      .replace('method: POST', 'method: 7')
      .replace('version: 1', '- nothing\nversion: 1');
    const { interactions, problems } = vcrpyFormat.read(tapeFileFromText(text));
    assert.equal(interactions.length, 2);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['`request.method` must be a string', 'an exchange must be an object'],
    );
    const cut = vcrpyFormat.read(tapeFileFromText(cassette(ASK, `"${ANSWER}`)));
    assert.equal(cut.problems.length > 0 && cut.interactions.length > 0, true);
  });

  it('changes an answer in the manner of PyYAML, and the length that was right', () => {
    const text = cassette(ASK, `'${ANSWER}'`, `${ANSWER.length}`);
    const edited = editAnswer(tapeFileFromText(text), 0, "It's all done now");
    assert.deepEqual(edited.dependents, ['content-length']);
    const folded = ANSWER.replace('Fine', "It''s all").concat("'").replace('all', 'all done\n        now');
    assert.equal(edited.text, cassette(ASK, `'${folded}`, `${ANSWER.length + 13}`));
    const wrong = editAnswer(tapeFileFromText(cassette(ASK, `'${ANSWER}'`, '12')), 0, 'Done');
    assert.equal(wrong.text, cassette(ASK, `'${ANSWER.replace('Fine', 'Done')}'`, '12'));
  });

  it('escapes what PyYAML escapes', () => {
    const { text } = editAnswer(tapeFileFromText(cassette(ASK, `'${ANSWER}'`)), 0, 'é😀');
    assert.match(text, /string: "\{\\"choices\\":.*\\xE9\\U0001F600/);
  });

  it('compresses and wraps again what was compressed', () => {
    const packed = gzipSync(new TextEncoder().encode(ANSWER), { mtime: 1000 });
    const text = cassette(
      'null',
      `!!binary |\n        ${encodeBase64(packed).replace(/.{76}(?=.)/g, '$&\n        ')}`,
      `${packed.length}`,
    );
    const words = 'a longer answer, of which not all can be compressed away: 0123456789 ';
    const { tape, text: changed, dependents } = editAnswer(tapeFileFromText(text), 0, words);
    assert.deepEqual(dependents, ['content-length']);
    const body = tape.interactions[0]?.http?.responseBody;
    assert(body?.type === 'base64');
    assert.match(decodeBody(body).text ?? '', /a longer answer/);
    assert(changed.split('\n').every((line) => line.length <= 84));
  });

  it('refuses to change an answer that several interactions share', () => {
    const entry = cassette(ASK, `'${ANSWER}'`).replace(/^interactions:\n|version.*\n/gm, '');
    const first = entry.replace('response:', 'response: &id001');
    const second = `${entry.slice(0, entry.indexOf('  response:'))}  response: *id001\n`;
    const file = tapeFileFromText(`interactions:\n${first}${second}version: 1\n`);
    assert.equal(readAs('vcrpy', file.text).interactions[1]?.response?.content, 'Fine');
    const outcome = vcrpyFormat.editText(file, { type: 'response-text', interaction: 1, text: 'x' });
    assert.match('refused' in outcome ? outcome.refused : '', /alias/);
  });

  it('says that it may be the headers that are shared: the length in them would be wrong for one of them', () => {
    const entry = cassette(ASK, `'${ANSWER}'`, String(ANSWER.length)).replace(/^interactions:\n|version.*\n/gm, '');
    const at = entry.lastIndexOf('    headers:');
    const [before, headers] = [entry.slice(0, at), entry.slice(at)];
    const first = before + headers.replace('headers:', 'headers: &id001');
    const second = before + headers.replace(/headers:\n(?: {6}.*\n)+/, 'headers: *id001\n');
    const file = tapeFileFromText(`interactions:\n${first}${second}version: 1\n`);
    assert.equal(readAs('vcrpy', file.text).interactions.length, 2);
    const longer = vcrpyFormat.editText(file, { type: 'response-text', interaction: 1, text: 'longer than it was' });
    assert.match('refused' in longer ? longer.refused : '', /or its headers by a YAML alias/);
    const same = vcrpyFormat.editText(file, { type: 'response-text', interaction: 1, text: 'Good' });
    assert.ok(!('refused' in same));
  });

  it('holds any text, and changes nothing else', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 300 }));
    const styles = [`'${ANSWER}'`, `"${ANSWER.replaceAll('"', '\\"')}"`, `|-\n        ${ANSWER}`];
    fc.assert(
      fc.property(text, fc.constantFrom(...styles), fc.boolean(), (content, style, crlf) => {
        const source = cassette(ASK, style);
        editAnswer(tapeFileFromText(crlf ? source.replaceAll('\n', '\r\n') : source), 0, content);
      }),
      RUNS,
    );
  });
});

const PARSED = `interactions:
- request:
    headers:
      content-type:
      - application/json
    method: POST
    parsed_body:
      messages:
      - content: Hi
        role: user
      model: gpt-4o
      temperature: 1.0e-05
    uri: ${URI}
  response:
    headers:
      content-length:
      - '123'
      content-type:
      - application/json
    parsed_body:
      choices:
      - finish_reason: stop
        message:
          content: |-
            One.
            Two.
          role: assistant
      usage:
        completion_tokens: 1
        prompt_tokens: 1.0
        total_tokens: 2
    status:
      code: 200
      message: OK
version: 1
`;

describe('the vcrpy format with parsed bodies', () => {
  it('reads bodies that are stored parsed', () => {
    const [only] = readAs('vcrpy-parsed-body', PARSED).interactions;
    assert.equal(only?.request?.messages[0]?.content, 'Hi');
    assert.equal(only.request.params.temperature, 0.00001);
    assert.equal(only.response?.content, 'One.\nTwo.');
    assert.equal(only.http?.responseBody.type, 'json');
  });

  it('changes the text at its place, and the length that json.dumps would have', () => {
    const length =
      '{"choices": [{"finish_reason": "stop", "message": {"content": "One.\\nTwo.", "role": "assistant"}}], "usage": {"completion_tokens": 1, "prompt_tokens": 1.0, "total_tokens": 2}}'
        .length;
    const text = PARSED.replace("'123'", `'${length}'`);
    const edited = editAnswer(tapeFileFromText(text), 0, 'One.\n\nThrée.\n');
    assert.deepEqual(edited.dependents, ['content-length']);
    const wanted = text
      .replace('|-\n            One.\n            Two.\n', '|\n            One.\n\n            Thrée.\n')
      .replace(`'${length}'`, `'${length + '\\n\\n\\u00e9\\n'.length - 1}'`);
    assert.equal(edited.text, wanted);
  });
});
