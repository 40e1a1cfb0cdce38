import assert from 'node:assert/strict';
import type { FormatId } from '../../../src/core/model/tape';
import { redactValue } from '../../../src/core/secrets/redactTape';
import { applyTapeEdits } from '../../../src/core/tapes/edits/editTape';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { isNotRead } from '../../../src/core/tapes/notRead';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formatById } from '../../../src/core/tapes/registry';
import { type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { Problem } from '../../../src/core/text/source';
import { jsonLines } from './readAsFormat';

const ASKED = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const SAID = { id: 'c', object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'Hello' } }] };
const URL = 'https://api.openai.com/v1/chat/completions';
const Q = JSON.stringify(ASKED);
const A = JSON.stringify(SAID);

/** What is told of a file that this format claims. */
function told(format: FormatId, text: string, path = ''): readonly Problem[] {
  const file = tapeFileFromText(text, path);
  const found = detectFormat(file);
  assert.equal(found?.id, format);
  return (found?.read(file).problems ?? []).filter(({ severity }) => severity !== 'info');
}

/** The one thing that is told of it, and where. */
function toldOnce(format: FormatId, text: string, path = ''): { readonly message: string; readonly at: string } {
  const problems = told(format, text, path);
  const [problem] = problems;
  assert.ok(problem, 'nothing is told');
  assert.deepEqual([problems.length, isNotRead(problem), problem.severity], [1, true, 'error'], problem.message);
  assert.match(problem.fix ?? '', /Tapedeck does not overwrite it: record to another file, or delete this one/);
  return { message: problem.message, at: text.slice(problem.span.start) };
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const vcrpy = (response: unknown, request: unknown = { body: Q, headers: {}, method: 'POST', uri: URL }): string =>
  json({ version: 1, interactions: [{ request, response }] });
const har = (content: unknown, postData: unknown = { mimeType: 'application/json', text: Q }): string =>
  json({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00Z',
          time: 1,
          request: { method: 'POST', url: URL, httpVersion: 'h2', headers: [], queryString: [], cookies: [], postData },
          response: { status: 200, statusText: 'OK', headers: [{ name: 'a', value: 'b' }], cookies: [], content },
          cache: {},
          timings: { wait: 1 },
        },
      ],
    },
  });

/** Recorded HTTP of which a part stands elsewhere than its format has it: what it is in, and what is told. */
const ELSEWHERE: readonly (readonly [FormatId, string, string, ...string[]])[] = [
  ['vcrpy', 'another name of the body', vcrpy({ payload: A, headers: {}, status: { code: 200 } }), 'response.payload'],
  [
    'vcrpy',
    'headers in a list of pairs, and in a text',
    vcrpy(
      { body: { string: A }, headers: 'a: b\r\n', status: { code: 200 } },
      { body: Q, headers: [['a', 'b']], method: 'POST', uri: URL },
    ),
    'request.headers',
    'response.headers',
  ],
  ['vcrpy', 'a message as it was on the wire', vcrpy('HTTP/1.1 200 OK\r\n\r\nHello'), 'response'],
  [
    'vcrpy',
    'another name of the response',
    json({ version: 1, interactions: [{ request: { method: 'GET', uri: URL, headers: {} }, answer: { text: 'Hi' } }] }),
    'answer',
  ],
  [
    'vcrpy-parsed-body',
    'another name of a parsed body',
    json({
      interactions: [
        {
          request: { method: 'POST', uri: URL, headers: {}, parsed_body: ASKED },
          response: { headers: {}, parsed_json: SAID, status: { code: 200 } },
        },
      ],
      version: 1,
    }),
    'response.parsed_json',
  ],
  [
    'langchain-gz',
    'another name of the body',
    `requests:\n- body: '${Q}'\n  headers: {}\n  method: POST\n  uri: ${URL}\nresponses:\n- data: '${A}'\n  headers: {}\n  status: {code: 200}\n`,
    'response.data',
  ],
  [
    'ruby-vcr',
    'other names inside of the bodies',
    `---\nhttp_interactions:\n- request:\n    method: post\n    uri: ${URL}\n    body:\n      encoding: UTF-8\n      text: '${Q}'\n    headers: {a: [b]}\n  response:\n    status: {code: 200, message: OK}\n    headers: {a: [b]}\n    body:\n      encoding: UTF-8\n      json: ${A}\nrecorded_with: VCR 6.2.0\n`,
    'request.body',
    'response.body',
  ],
  [
    'ruby-vcr',
    'another name of the status',
    `---\nhttp_interactions:\n- request: {method: get, uri: ${URL}, headers: {}}\n  response:\n    http_status: 200\n    headers: {}\n    body: {encoding: UTF-8, string: Hi}\nrecorded_with: VCR 6.2.0\n`,
    'response.http_status',
  ],
  [
    'r-vcr',
    'a packed body of its version 2',
    `http_interactions:\n- request: {method: GET, uri: ${URL}}\n  response:\n    status: 200\n    headers: {a: b}\n    body:\n      raw_gzip: eJzzSM3JyQcABYwB9Q==\nrecorded_with: VCR-vcr/2.0.0\n`,
    'response.body',
  ],
  [
    'go-vcr',
    'a body in base64, under another name',
    `---\nversion: 2\ninteractions:\n- id: 0\n  request:\n    proto: HTTP/1.1\n    content_length: 2\n    body: '${Q}'\n    url: ${URL}\n    method: POST\n    headers: {}\n  response:\n    body_b64: aGVsbG8=\n    headers: {}\n    status: 200 OK\n    code: 200\n    duration: 1ms\n`,
    'response.body_b64',
  ],
  [
    'httpmock',
    'a parsed body of the response, and one of the request',
    `when:\n  path: /v1\n  method: POST\n  json_body: '${Q}'\nthen:\n  status: 200\n  header: [{name: a, value: b}]\n  json: '${A}'\n`,
    'request.when.json_body',
    'response.json',
  ],
  ['har', 'another name of a posted text', har({ text: A }, { mimeType: 'a/b', raw: Q }), 'request.postData'],
  [
    'azure-test-proxy',
    'another name of the body',
    json({
      Entries: [
        {
          RequestUri: URL,
          RequestMethod: 'GET',
          RequestHeaders: {},
          StatusCode: 200,
          ResponseHeaders: {},
          ResponseContent: SAID,
        },
      ],
      Variables: {},
    }),
    'ResponseContent',
  ],
  [
    'nock',
    'another name of the body',
    json([
      {
        scope: 'https://a.example:443',
        method: 'GET',
        path: '/',
        body: '',
        status: 200,
        response: '',
        reply: SAID,
        rawHeaders: ['a', 'b'],
      },
    ]),
    'reply',
  ],
  [
    'mastra',
    'another name of the body',
    json({
      meta: { name: 'x', createdAt: '2026-01-01T00:00:00Z' },
      recordings: [
        {
          hash: '0',
          request: { url: URL, method: 'POST', body: ASKED, timestamp: 0 },
          response: { status: 200, headers: {}, text: A },
        },
      ],
    }),
    'response.text',
  ],
  [
    'opencode',
    'the frames of a socket under another name',
    json({
      version: 1,
      metadata: { name: 'x', recordedAt: '2026-01-01T00:00:00Z' },
      interactions: [
        { transport: 'websocket', open: { url: 'wss://a.example/', headers: {} }, frames: [{ data: 'Hi' }] },
      ],
    }),
    'frames',
  ],
  [
    'req-llm',
    'another name of the body',
    json({
      request: { url: URL, method: 'POST', headers: {}, canonical_json: ASKED, body: { b64: 'e30=' } },
      response: { status: 200, headers: {}, text: A },
    }),
    'response.text',
  ],
];

describe('recorded HTTP of which a part was not read', () => {
  for (const [format, what, text, ...names] of ELSEWHERE) {
    it(`is told, with its place: ${format}, ${what}`, () => {
      const { message, at } = toldOnce(format, text);
      const listed = names.map((name) => `\`${name}\``).join(' and ');
      assert.equal(message, `content was not read: ${listed}`);
      const key = names[0]?.split('.').at(-1) ?? '';
      const before = text.slice(0, text.length - at.length);
      assert.match(before, new RegExp(`${key}["']?:\\s*$`), 'where its value begins');
    });
  }

  it('is nothing where a body is empty, and other things stand beside it', () => {
    const empty = { status: { code: 204, message: 'No Content' }, headers: {}, body: { string: '' } };
    for (const body of [null, '', { string: null }, {}])
      assert.deepEqual(told('vcrpy', vcrpy({ ...empty, body })), [], JSON.stringify(body));
    assert.deepEqual(told('har', har({ size: 0, mimeType: 'x-unknown', comment: 'not included' }, undefined)), []);
    const r = `http_interactions:\n- request: {method: GET, uri: ${URL}}\n  response: {status: 200, headers: {a: b}}\nrecorded_with: VCR-vcr/2.0.0\n`;
    assert.deepEqual(told('r-vcr', r), []);
  });
});

const recorded = (request: object, response: object, others: object = {}): unknown => ({
  request: { method: 'POST', uri: URL, headers: {}, ...request },
  response: { status: { code: 200, message: 'OK' }, headers: {}, http_version: '1.1', ...response },
  ...others,
});

describe('a file that looks like one of another program', () => {
  const NAMED: readonly (readonly [string, FormatId, string])[] = [
    [
      'EasyVCR',
      'vcrpy',
      json([recorded({ body: Q }, { body: A }, { duration: 12, recorded_at: '2026-01-01T00:00:00Z' })]),
    ],
    ['rvcr', 'vcrpy', json([recorded({ body: { string: Q } }, { body: { string: A } }, { recorded_at: 'x' })])],
  ];
  for (const [program, format, text] of NAMED) {
    it(`is named: ${program}`, () => {
      const problems = told(format, text);
      assert.notEqual(problems.length, 0);
      for (const { message, fix } of problems) {
        assert.match(message, new RegExp(`looks like a file of ${program}`));
        assert.match(fix ?? '', new RegExp(`^Use ${program} to read it`));
      }
    });
  }

  it('is not said to be of an old vcrpy, whose script would not help', () => {
    const [unknown] = told('vcrpy', json([recorded({ body: Q }, { body: A }, { tags: [] })]));
    assert.equal(unknown?.message, 'vcrpy refuses this list of interactions, which it did not write');
    const [old] = told('vcrpy', json([{ request: { method: 'GET', uri: URL }, response: { status: { code: 200 } } }]));
    assert.match(old?.fix ?? '', /python -m vcr\.migration/);
  });
});

const claude = (type: string, others: object, parentUuid: string | null = null): unknown => ({
  uuid: `${type}-1`,
  parentUuid,
  sessionId: 's',
  type,
  ...others,
});
const codex = (type: string, payload: unknown): unknown => ({ timestamp: '2026-06-01T09:00:00Z', type, payload });
const SESSION = codex('session_meta', { id: 'a', cli_version: '0.147.0', base_instructions: { text: 'Be kind.' } });
const codexItem = (item: unknown): unknown => codex('event_msg', { type: 'item_completed', item });

describe('logs of which the records were not understood', () => {
  const SILENT: readonly (readonly [FormatId, string, string, number])[] = [
    [
      'codex',
      'events only',
      jsonLines(
        SESSION,
        codex('event_msg', { type: 'user_message', message: 'Hi' }),
        codex('event_msg', { type: 'agent_message', message: 'Hello' }),
      ),
      2,
    ],
    [
      'codex',
      'completed items only',
      jsonLines(
        SESSION,
        codexItem({ type: 'UserMessage', content: [{ type: 'text', text: 'Hi' }] }),
        codexItem({ type: 'CommandExecution', command: ['ls'], aggregated_output: 'a.txt' }),
        codexItem({ type: 'AgentMessage', content: [{ type: 'Text', text: 'Hello' }] }),
      ),
      3,
    ],
    [
      'codex',
      'unknown types of lines',
      jsonLines(SESSION, codex('user_turn', { text: 'Hi' }), codex('model_turn', { text: 'Hello' })),
      2,
    ],
    [
      'codex',
      'answers in completed items, and the question in an item of the API',
      jsonLines(
        SESSION,
        codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }),
        codexItem({ type: 'AgentMessage', content: [{ type: 'Text', text: 'Hello' }] }),
      ),
      1,
    ],
    [
      'claude-code',
      'lines without messages',
      jsonLines(claude('prompt', { text: 'Hi' }), claude('answer', { text: 'Hello' }, 'prompt-1')),
      2,
    ],
    [
      'claude-code',
      'an answer under another name',
      jsonLines(
        claude('user', { message: { role: 'user', content: 'Hi' } }),
        claude('assistant', { message: { role: 'assistant', text: 'Hello' } }, 'user-1'),
      ),
      1,
    ],
    [
      'claude-code',
      'a question under another name',
      jsonLines(
        claude('user', { message: { role: 'user', text: 'Hi' } }),
        claude('assistant', { message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] } }, 'user-1'),
      ),
      1,
    ],
    [
      'mofa',
      'a request under another name',
      formatById('mofa')
        .serialise?.('n', [
          {
            request: { messages: [{ role: 'user', content: 'Hi', toolCalls: [] }], tools: [], params: {} },
            response: { content: 'Hello', toolCalls: [] },
          },
        ])
        .replace('"request"', '"input"') ?? '',
      1,
    ],
  ];
  for (const [format, what, text, count] of SILENT) {
    it(`tell it: ${format}, ${what}`, () => {
      const { message } = toldOnce(format, text);
      assert.equal(message, `content was not read: text in ${count} ${count === 1 ? 'record' : 'records'}`);
    });
  }

  it('tell it of responses of Gemini in another shape', () => {
    const text = jsonLines({ method: 'generateContent', response: { reply: 'Hello' } });
    assert.match(toldOnce('gemini-cli', text, 'a.responses').message, /the response of generateContent$/);
  });

  it('tell it of an Inspect log without events', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    const log = (sample: object): string =>
      json({
        version: 2,
        status: 'success',
        eval: { task: 't' },
        samples: [{ id: 1, epoch: 1, input: 'Hi', ...sample }],
      });
    assert.match(toldOnce('inspect', log({ messages })).message, /the messages of a sample$/);
    assert.deepEqual(told('inspect', log({ messages: messages.slice(0, 1), error: { message: 'no model' } })), []);
  });

  const records = (spanId: string, attributes: readonly object[] = []): unknown => ({
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              {
                eventName: 'gen_ai.user.message',
                body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Hi' } }] } },
                attributes,
                traceId: 't',
                spanId,
              },
              { eventName: 'http', body: { stringValue: 'GET /' }, attributes: [], traceId: 't', spanId },
            ],
          },
        ],
      },
    ],
  });
  const span = (spanId: string): unknown => ({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: 't',
                spanId,
                name: 'chat m',
                startTimeUnixNano: '1',
                endTimeUnixNano: '2',
                attributes: [
                  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                  {
                    key: 'gen_ai.output.messages',
                    value: { stringValue: '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}]' },
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });

  it('tell it of messages whose spans are not in the file', () => {
    const alone = told('otlp', jsonLines(records('a')));
    assert.deepEqual(
      alone.map(({ message, severity }) => [message, severity]),
      [['content was not read: messages in 1 log record', 'error']],
    );
    assert.match(alone[0]?.fix ?? '', /export both into the same file/);
    assert.deepEqual(told('otlp', jsonLines(records('a'), span('a'))), []);
    const beside = told('otlp', jsonLines(records('a'), span('a'), records('b')));
    assert.deepEqual(
      beside.map(({ severity }) => severity),
      ['warning'],
      'calls beside were read',
    );
    assert.deepEqual(
      told('otlp', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"GET /"}}]}]}]}'),
      [],
    );
  });

  it('say nothing where nothing was said', () => {
    const quiet = [
      jsonLines(SESSION, codex('turn_context', { model: 'm' })),
      jsonLines(
        SESSION,
        codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }),
        codex('event_msg', { type: 'user_message', message: 'Hi' }),
        codex('event_msg', { type: 'task_complete', last_agent_message: null }),
      ),
    ];
    for (const text of quiet) assert.deepEqual(told('codex', text), []);
    const lines = jsonLines(
      claude('system', { content: 'Conversation compacted' }),
      claude('user', { message: { role: 'user', content: '' } }),
      claude('assistant', { message: { role: 'assistant', content: [], stop_reason: 'refusal' } }, 'user-1'),
      claude('progress', { data: { text: 'Working' } }),
    );
    assert.deepEqual(told('claude-code', lines), []);
  });
});

describe('a tape of which a part was not read', () => {
  const file: TapeFile = tapeFileFromText(vcrpy({ payload: A, headers: {}, status: { code: 200, message: 'OK' } }));
  const outcome = (edit: TapeEdit) => applyTapeEdits(file, [edit], redactValue);

  it('is not edited, except that a secret can be taken out', () => {
    const edits: readonly TapeEdit[] = [
      { type: 'status', interaction: 0, status: 500 },
      { type: 'add', interaction: 0 },
      { type: 'duplicate', interaction: 0 },
    ];
    for (const edit of edits) {
      const refused = outcome(edit);
      assert.match(
        'refused' in refused ? refused.refused : '',
        /not all of it could be read: .*`response\.payload`/,
        edit.type,
      );
    }
    assert.ok('splices' in outcome({ type: 'redact', value: 'Hello' }));
  });
});
