import assert from 'node:assert/strict';
import type { HttpExchange } from '../../../../src/core/model/http';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { Normaliser } from '../../../../src/core/review/compare/normaliser';
import { mergeTapes } from '../../../../src/core/review/merge/mergeTapes';
import type { RecordedTape } from '../../../../src/core/review/recordings';
import { compareTapeFiles } from '../../../../src/core/review/unread/compareTapeFiles';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { formats } from '../../../../src/core/tapes/registry';
import { decodeTapeFile } from '../../../../src/core/tapes/tapeFile';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { post, textBody } from '../../wire/exchanges';

function recorded(path: string, text: string): RecordedTape {
  const file = decodeTapeFile(path, Buffer.from(text));
  const format = detectFormat(file);
  assert.ok(format, `${path} is a tape`);
  return { file, format, tape: format.read(file) };
}

function review(path: string, before: string, after: string) {
  assert.notEqual(before, after, 'the files differ');
  const [old, now] = [recorded(path, before), recorded(path, after)];
  const comparison = compareTapeFiles(old, now, new Normaliser());
  return { ...comparison, old, now, merge: mergeTapes(old, now, comparison, new Normaliser()) };
}

const titlesOf = (path: string, before: string, after: string) =>
  review(path, before, after).changes.map(({ title }) => title);
const UNREAD = /^The file changed where Tapedeck does not read it: line/;

/** A call that every HTTP format can hold, as YAML of vcrpy; `more` stands in the interaction, `around` behind all of them. */
const vcrpy = ({ body = 'body', said = 'Hi', date = 'Mon', more = '', around = '' } = {}): string => `interactions:
- request:
    body: '{"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}'
    headers:
      content-type: [application/json]
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    ${body}:
      string: '{"choices": [{"index": 0, "message": {"role": "assistant", "content": "${said}"}}]}'
    headers:
      date: ["${date}, 01 Jan 2024 00:00:00 GMT"]
    status: {code: 200, message: OK}
${more}version: 1
${around}`;

const opencodeLike = (said: string, asked: string): string =>
  JSON.stringify(
    {
      version: 1,
      recorded_by: 'another recorder',
      interactions: [
        {
          request: { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', body: { json: { asked } } },
          response: { status_code: 200, body: { json: { said } } },
        },
      ],
    },
    null,
    2,
  );

const har = (more: object): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a', version: '1' },
      entries: [
        {
          startedDateTime: '2024-01-01T00:00:00Z',
          time: 5,
          request: {
            method: 'GET',
            url: 'https://a.example/x',
            httpVersion: 'HTTP/1.1',
            headers: [],
            queryString: [],
            cookies: [],
          },
          response: {
            status: 200,
            statusText: 'OK',
            headers: [],
            cookies: [],
            content: { size: 2, mimeType: 'text/plain', text: 'ok' },
          },
          ...more,
        },
      ],
    },
  });

const httprr = (tail = ''): string => {
  const request = 'GET https://a.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n';
  const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  return `httprr trace v1\n${request.length} ${response.length}\n${request}${response}${tail}`;
};

const session = (snapshot: string): string =>
  [
    { type: 'file-history-snapshot', messageId: 'm', snapshot },
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's',
      cwd: '/',
      version: '1',
      message: { role: 'user', content: 'Hi' },
    },
    {
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      sessionId: 's',
      cwd: '/',
      version: '1',
      message: {
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'Hello' }],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const own = (more: string): string => `{"tapedeck":"tape","version":1,"name":"a"${more}}
{"request":1,"method":"GET","url":"https://a.example/x"}
{"response":1,"status":200,"headers":[],"text":"ok"}
`;

describe('what no reader of a format knows', () => {
  const members: readonly (readonly [what: string, path: string, before: string, after: string])[] = [
    ['a response of a look-alike', 'a.json', opencodeLike('Hi', 'Be brief'), opencodeLike('Go', 'Be brief')],
    ['a request of a look-alike', 'a.json', opencodeLike('Hi', 'Be brief'), opencodeLike('Hi', 'Be evil')],
    ['`payload` in the place of `body`', 'a.yaml', vcrpy({ body: 'payload' }), vcrpy({ body: 'payload', said: 'Go' })],
    ['a new key at the top', 'a.yaml', vcrpy(), vcrpy({ around: 'note: Be evil\n' })],
    ['a new key in an interaction', 'a.yaml', vcrpy(), vcrpy({ more: '  note: Be evil\n' })],
    ['a second document', 'a.yaml', vcrpy(), vcrpy({ around: '---\nnote: Be evil\n' })],
    [
      'a tag that makes an object',
      'a.yaml',
      vcrpy(),
      vcrpy().replace('  response:', '  response: !!python/object:a.B'),
    ],
    [
      'a tag in headers',
      'a.yaml',
      vcrpy(),
      vcrpy().replace('    headers:', '    headers: !!python/object/apply:os.system'),
    ],
    ['a new member of a header line', 'a.tape.jsonl', own(''), own(',"note":"Be evil"')],
    ['a record of a log', 'a.jsonl', session('one'), session('two')],
    ['a custom member', 'a.har', har({ _note: 'Hi' }), har({ _note: 'Be evil' })],
    [
      'a member that is there twice',
      'a.har',
      har({}),
      har({}).replace('"time":5', '"time":5,"comment":"Hi","comment":"Be evil"'),
    ],
  ];

  for (const [what, path, before, after] of members) {
    it(`is a change of the file: ${what}`, () => {
      const { changes, old, now, merge } = review(path, before, after);
      assert.equal(changes.length, 1);
      assert.match(changes[0]?.title ?? '', UNREAD);
      assert.ok((changes[0]?.before ?? '') + (changes[0]?.after ?? '') !== '', 'it shows what changed');
      const taken = (ids: readonly string[]) => {
        const merged = merge.take(new Set(ids));
        return 'bytes' in merged && Buffer.from(merged.bytes).toString('utf8');
      };
      assert.equal(taken([changes[0]?.id ?? '']), now.file.text);
      assert.equal(taken([]), old.file.text);
    });
  }

  it('is a change beside others, and is no part of them', () => {
    const [before, after] = [opencodeLike('Hi', 'Be brief'), opencodeLike('Go', 'Be evil')];
    const titles = titlesOf('a.json', before, after.replace('/v1/chat/completions', '/v1/embeddings'));
    assert.ok(titles.includes('Address'));
    assert.match(titles.at(-1) ?? '', UNREAD);
  });

  it('never passes: bytes behind the last record of a trace', () => {
    assert.notDeepEqual(titlesOf('a.httprr', httprr(), httprr('Be evil')), []);
  });

  it('is not hidden by ignored differences, even where these say the same', () => {
    const [before, after] = [
      vcrpy({ more: '  note: Monday at nine\n' }),
      vcrpy({ date: 'Tue', more: '  note: Be evil\n' }),
    ];
    const { changes, hidden } = review('a.yaml', before, after);
    assert.equal(changes.length, 1);
    assert.match(changes[0]?.title ?? '', UNREAD);
    assert.deepEqual(
      hidden.map(({ rules }) => rules),
      [['headers']],
    );
    const inHeader = (word: string) =>
      vcrpy({ more: `  note: ${word}\n` }).replace('date: ["Mon, 01 Jan 2024 00:00:00 GMT"]', `x-note: ["${word}"]`);
    assert.equal(titlesOf('a.yaml', inHeader('Be brief'), inHeader('Be evil')).length, 1);
  });

  it('is another change if it became something else', () => {
    const ids = ['one', 'two'].map(
      (note) => review('a.yaml', vcrpy(), vcrpy({ around: `note: ${note}\n` })).changes[0]?.id,
    );
    assert.notEqual(ids[0], ids[1]);
  });

  it('is decided apart from the changes of other interactions', () => {
    const two = (first: string, second: string) => {
      const item = (said: string, more: string) =>
        vcrpy({ said, more }).replace('interactions:\n', '').replace('version: 1\n', '');
      return `interactions:\n${item(first, '')}${item('Bye', second)}version: 1\n`;
    };
    const { changes, merge } = review('a.yaml', two('Hi', ''), two('Hello', '  note: Be evil\n'));
    const [response, unread] = changes;
    assert.deepEqual(
      changes.map(({ title }) => title.replace(/: line.*/, '')),
      ['Response', 'The file changed where Tapedeck does not read it'],
    );
    const taken = (id = '') => {
      const merged = merge.take(new Set([id]));
      return 'bytes' in merged && Buffer.from(merged.bytes).toString('utf8');
    };
    assert.equal(taken(response?.id), two('Hello', ''));
    assert.equal(taken(unread?.id), two('Hi', '  note: Be evil\n'));
  });
});

describe('what means nothing in a file', () => {
  const layouts: readonly (readonly [what: string, before: string, after: string])[] = [
    ['comments', vcrpy(), `# recorded on a Monday\n${vcrpy()}`],
    ['quotes', vcrpy(), vcrpy().replace('method: POST', 'method: "POST"')],
    ['the order of members', vcrpy(), vcrpy().replace('{code: 200, message: OK}', '{message: OK, code: 200}')],
    ['line ends', vcrpy(), vcrpy().replaceAll('\n', '\r\n')],
  ];
  for (const [what, before, after] of layouts)
    it(`is no change, and is told: ${what}`, () => {
      const { changes, notices } = review('a.yaml', before, after);
      assert.deepEqual(changes, []);
      assert.deepEqual(notices, [
        'Only the layout of the file differs: white space, the order of members, quotes, comments.',
      ]);
    });

  it('is listed among the ignored differences if every recording writes it anew', () => {
    const at = (time: string) => har({ _time: 4, _sentAt: time });
    const { changes, hidden } = review('a.har', at('2024-01-01T00:00:00Z'), at('2025-02-02T02:00:00Z'));
    assert.deepEqual(changes, []);
    assert.deepEqual(
      hidden.map(({ rules }) => rules),
      [['recording']],
    );
  });
});

describe('a recording that is made again', () => {
  /** What was said, in frames of so many letters, with ids, times and headers of its own. */
  const exchange = (take: number): HttpExchange => {
    const words = 'It is sunny in Paris, and it will stay so until Friday.';
    const size = take === 0 ? 4 : 7;
    const pieces = words.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    const chunk = (delta: object, finish_reason: string | null) => ({
      id: `chatcmpl-${take}aB3dE5fG7hJ9kL1mN3pQ`,
      object: 'chat.completion.chunk',
      created: 1_700_000_000 + take * 999,
      model: 'gpt-4o',
      choices: [{ index: 0, delta, finish_reason }],
    });
    const frames = [...pieces.map((content) => chunk({ content }, null)), chunk({}, 'stop')];
    return {
      ...post(
        'https://api.openai.com/v1/chat/completions',
        { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'How is it?' }] },
        textBody(`${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`),
      ),
      responseHeaders: [
        ['content-type', 'text/event-stream'],
        ['date', `Mon, 0${take + 1} Jan 2024 00:00:00 GMT`],
        ['x-request-id', `req_${take}f3a9c1e5b7d2468`],
        ['x-ratelimit-remaining-requests', `${99 - take}`],
      ],
    };
  };
  const take = (number: number): RecordedInteraction[] => {
    const http = exchange(number);
    const { kind, request, response } = readExchange(http);
    const timing = { recordedAt: `2024-01-0${number + 1}T00:00:00.000Z`, durationMs: 800 + number };
    return [{ kind, ...(request && { request }), ...(response && { response }), http, timing }];
  };

  for (const format of formats.filter(({ serialise, family }) => serialise !== undefined && family === 'http')) {
    it(`is no change of the file: ${format.id}`, () => {
      const written = [0, 1].map((number) => format.serialise?.('a', take(number)) ?? '');
      const { changes } = review(`a.${format.extensions[0]}`, written[0] ?? '', written[1] ?? '');
      assert.deepEqual(
        changes.map(({ title }) => title),
        [],
      );
    });
  }

  it('is a change where a frame says what the joined response does not', () => {
    const stream = (content: string) =>
      JSON.stringify({
        prompt: 'Hi',
        supports_native_tools: true,
        completions: [{ content: 'Hello', tool_calls: [], usage: {} }],
        streams: [
          [
            { content, is_done: false },
            { content: '!', full_content: 'Four!', is_done: true },
          ],
        ],
      });
    assert.deepEqual(titlesOf('a.scenario.json', stream('Four'), stream('Fire')), ['Stream']);
  });

  it('are none where only base64 is wrapped at another column', () => {
    const base64 = Buffer.from('%PDF-1.7 '.repeat(40)).toString('base64');
    const tape = (bytes: string): string => `---
http_interactions:
- request:
    method: get
    uri: https://files.example/a.pdf
    body:
      encoding: US-ASCII
      string: ''
    headers: {}
  response:
    status:
      code: 200
      message: OK
    headers: {}
    body:
      encoding: ASCII-8BIT
      string: !binary |-
        ${bytes}
  recorded_at: Thu, 13 Aug 2026 11:14:57 GMT
recorded_with: VCR 6.4.0
`;
    const wrapped = base64.replace(/.{60}/g, '$&\n        ');
    assert.deepEqual(titlesOf('a.yml', tape(base64), tape(wrapped)), []);
    assert.notDeepEqual(titlesOf('a.yml', tape(base64), tape(wrapped.replace('JV', 'JW'))), []);
  });
});
