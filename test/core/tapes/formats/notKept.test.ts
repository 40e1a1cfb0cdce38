import assert from 'node:assert/strict';
import { convertTape } from '../../../../src/core/tapes/convert';
import { harFormat, pollyHarFormat } from '../../../../src/core/tapes/formats/har/index';
import { lackOf } from '../../../../src/core/tapes/notKept';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { spliceTape } from '../../../../src/core/tapes/spliceTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';

const BODY = '{"id":"1"}';

interface Entry {
  readonly method?: string;
  readonly status?: number;
  readonly bodySize?: number;
  readonly headers?: readonly object[];
  readonly content?: object | undefined;
  readonly more?: object;
  readonly beside?: object;
}

function entry({ method = 'POST', status = 200, bodySize = -1, headers = [], content, more, beside }: Entry): object {
  return {
    startedDateTime: '2025-01-01T00:00:00.000Z',
    time: 5,
    request: { method, url: 'https://api.example.com/v1/things', headers: [], postData: { text: '{}' } },
    response: { status, headers, ...(content && { content }), bodySize, ...more },
    ...beside,
  };
}

const har = (...entries: Entry[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries: entries.map(entry) } });

/** What is lacking of the only entry, with the problem. */
function lack(one: Entry) {
  const { interactions, problems } = harFormat.read(tapeFileFromText(har(one)));
  const [interaction] = interactions;
  assert.ok(interaction);
  return { lack: lackOf(interaction), severity: problems[0]?.severity, message: problems[0]?.message };
}

describe('a response whose body is not in the HTTP archive', () => {
  it('stands in a file of its own', () => {
    for (const key of ['_file', '_sha1']) {
      const found = lack({ content: { size: 223, mimeType: 'application/json', [key]: 'a1b2c3.json' } });
      assert.deepEqual(found.lack, { why: 'elsewhere', file: 'a1b2c3.json' });
      assert.equal(found.severity, 'error');
      assert.match(found.message ?? '', /interaction 1 is not replayed: .*in another file, a1b2c3\.json/);
    }
  });

  it('was not kept, as its size says', () => {
    const dropped: readonly Entry[] = [
      { content: { size: 223, mimeType: 'application/json' } },
      { content: { size: 223, mimeType: 'application/json', text: '' } },
      { content: { mimeType: 'application/json' }, bodySize: 223 },
      // Firefox, where bodies are not exported.
      { content: { size: 223, mimeType: 'text/html', comment: 'Response bodies are not included.' } },
      // Chrome keeps the events of an EventSource apart.
      { content: { size: 223, mimeType: 'text/event-stream' }, beside: { _eventSourceMessages: [{ data: 'x' }] } },
      { content: {}, headers: [{ name: 'Content-Length', value: '223' }] },
    ];
    for (const one of dropped) {
      const found = lack(one);
      assert.deepEqual(found.lack, { why: 'dropped', size: 223 }, JSON.stringify(one));
      assert.equal(found.severity, 'error');
      assert.match(found.message ?? '', /not replayed: the body of its response, 223 bytes, was not kept/);
    }
  });

  it('was not kept, where nothing says that it was empty', () => {
    for (const one of [{ content: { size: -1, mimeType: 'application/json' } }, { content: undefined }]) {
      assert.deepEqual(lack(one).lack, { why: 'dropped' });
      assert.equal(lack(one).severity, 'error');
    }
  });

  it('was none, since the request failed', () => {
    const failed: readonly Entry[] = [
      { status: 0, content: { size: 0, mimeType: 'x-unknown' } },
      { status: -1, content: { size: -1, mimeType: 'x-unknown' } },
    ];
    for (const one of failed) {
      assert.deepEqual(lack(one).lack, { why: 'failed' });
      assert.equal(lack(one).severity, 'info');
    }
    const reason = 'net::ERR_ABORTED';
    const content = { size: 0, mimeType: 'x-unknown' };
    for (const told of [
      { more: { _error: reason } },
      { more: { _failureText: reason } },
      { beside: { _failureText: reason } },
    ]) {
      const found = lack({ status: 0, content, ...told });
      assert.deepEqual(found.lack, { why: 'failed', reason });
      assert.match(found.message ?? '', /the request failed when it was recorded: net::ERR_ABORTED/);
    }
    // The headers came, and then nothing more.
    assert.deepEqual(lack({ status: 200, content: { size: -1 }, more: { _error: reason } }).lack, {
      why: 'failed',
      reason,
    });
  });

  it('is empty where it is said to be, or can only be', () => {
    const empty: readonly Entry[] = [
      { content: { size: 0, mimeType: 'x-unknown' } },
      // What an empty body takes compressed.
      { content: { size: 0, mimeType: 'x-unknown' }, bodySize: 20 },
      { content: { size: 0, mimeType: 'x-unknown' }, bodySize: 0 },
      { content: { mimeType: '', text: '' } },
      { content: { mimeType: '' }, bodySize: 0 },
      { content: { size: -1 }, headers: [{ name: 'content-length', value: '0' }] },
      { status: 204, content: { size: -1, mimeType: 'x-unknown' } },
      { status: 304, content: { size: 500, mimeType: 'text/html' } },
      { status: 302, content: { size: -1, mimeType: 'x-unknown' } },
      { method: 'HEAD', content: { size: 500, mimeType: 'text/html' } },
    ];
    for (const one of empty) assert.equal(lack(one).lack, undefined, JSON.stringify(one));
  });

  it('is there where its text is, whatever sizes and errors say', () => {
    const kept: readonly Entry[] = [
      { content: { size: 10, text: BODY } },
      { content: { size: -1, text: BODY } },
      { content: { size: 10, text: BODY }, more: { _error: null } },
      { content: { size: 10, text: BODY, _file: 'a.json' } },
    ];
    for (const one of kept) assert.equal(lack(one).lack, undefined, JSON.stringify(one));
  });

  it('says how the next recording keeps it', () => {
    const fix = (text: string) => detectFormat(tapeFileFromText(text))?.read(tapeFileFromText(text)).problems[0]?.fix;
    assert.match(fix(har({ content: { size: 5, _file: 'a.json' } })) ?? '', /content: 'embed'.*with content/);
    const polly = har({ content: { size: 5 } }).replace('"log":{', '"log":{"_recordingName":"x",');
    assert.equal(pollyHarFormat.looksLike(tapeFileFromText(polly)), true);
    assert.match(fix(polly) ?? '', /record the tape again/);
  });
});

describe('a response whose body is not on a tape of another format', () => {
  const cassette = (status: number, method: string, body: string) => `interactions:
- request:
    body: '{}'
    headers: {}
    method: ${method}
    uri: https://api.example.com/v1/things
  response:
    body: ${body}
    headers:
      content-length: ['223']
    status: {code: ${status}, message: OK}
version: 1
`;
  const goVcr = (length: number) => `---
version: 2
interactions:
    - id: 0
      request:
        proto: HTTP/1.1
        content_length: 2
        body: '{}'
        headers: {}
        url: https://api.example.com/v1/things
        method: POST
      response:
        proto: HTTP/1.1
        content_length: ${length}
        body: ""
        headers: {}
        status: 200 OK
        code: 200
        duration: 5ms
`;
  const nock = (response: string) =>
    `[{"scope":"https://api.example.com:443","method":"POST","path":"/v1/things","body":{},"status":200,"response":${response},"rawHeaders":["Content-Length","223"],"responseIsBinary":false}]`;
  const azure = (body: string) =>
    `{"Entries":[{"RequestUri":"https://api.example.com/v1/things","RequestMethod":"POST","RequestHeaders":{},"RequestBody":null,"StatusCode":200,"ResponseHeaders":{"Content-Length":"223"},"ResponseBody":${body}}],"Variables":{}}`;
  const opencode = (body: string) =>
    `{"version":1,"interactions":[{"request":{"method":"POST","url":"https://api.example.com/v1/things","headers":{},"body":"{}"},"response":{"status":200,"headers":{"content-length":"223"},"body":${body}}}]}`;
  const ruby = `---
http_interactions:
- request:
    method: post
    uri: https://api.example.com/v1/things
    body:
      encoding: UTF-8
      string: "{}"
    headers: {}
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Length:
      - '223'
    body:
      encoding: UTF-8
      string: ''
  recorded_at: Fri, 07 Mar 2025 14:55:40 GMT
recorded_with: VCR 6.3.1
`;

  const lackIn = (text: string) => {
    const file = tapeFileFromText(text);
    const [interaction] = detectFormat(file)?.read(file).interactions ?? [];
    assert.ok(interaction, text);
    return lackOf(interaction);
  };

  it('is known by the length that was recorded beside it', () => {
    const texts = [
      cassette(200, 'POST', 'null'),
      cassette(200, 'POST', "{string: ''}"),
      goVcr(223),
      nock('""'),
      azure('null'),
      opencode('""'),
      ruby,
    ];
    for (const text of texts) assert.deepEqual(lackIn(text), { why: 'dropped', size: 223 }, text);
  });

  it('is not missing where there can be none, or none was', () => {
    assert.equal(lackIn(cassette(204, 'POST', "{string: ''}")), undefined);
    assert.equal(lackIn(cassette(304, 'GET', "{string: ''}")), undefined);
    assert.equal(lackIn(cassette(200, 'HEAD', "{string: ''}")), undefined);
    assert.equal(lackIn(cassette(200, 'POST', '{string: x}')), undefined);
    assert.equal(lackIn(goVcr(0)), undefined);
    assert.equal(lackIn(goVcr(-1)), undefined);
  });
});

describe('an interaction without its response', () => {
  const text = har({ status: 0, content: { size: 0 } }, { content: { size: 10, text: BODY } });

  it('is left out of another tape, where it would look like an empty one', () => {
    const { file, kept, interactions } = convertTape(harFormat.read(tapeFileFromText(text)), 'x', harFormat);
    assert.deepEqual([kept, interactions], [1, 2]);
    const written = harFormat.read(file).interactions;
    assert.deepEqual(
      written.map(({ http }) => http?.status),
      [200],
    );
  });

  it('stays as it is where others are recorded after it', () => {
    const more = [{ status: 0, content: { size: 0 } }, { content: { size: 5, _file: 'a.json' } }];
    const tape = tapeFileFromText(har(...more));
    const [good] = harFormat.read(tapeFileFromText(har({ content: { size: 10, text: BODY } }))).interactions;
    assert.ok(good?.http);
    const spliced = spliceTape(harFormat, tape, 2, [{ kind: 'http', http: good.http }]);
    assert.ok('tape' in spliced, 'refused' in spliced ? spliced.refused : '');
    assert.deepEqual(
      spliced.tape.interactions.map((one) => lackOf(one)?.why),
      ['failed', 'elsewhere', undefined],
    );
  });
});
