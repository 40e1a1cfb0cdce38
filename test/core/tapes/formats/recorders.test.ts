import assert from 'node:assert/strict';
import { recorderFormats } from '../../../../src/core/tapes/formats/recorders/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readmeSamples } from '../../../harness/readmeSamples';
import { yamlText } from '../../../harness/yamlText';
import { formatOf, readAs } from '../editing';

const MODEL = 'gpt-4o-mini';
const ASKED = { model: MODEL, messages: [{ role: 'user', content: 'Weather in Oslo?' }], stream: false };
const ANSWER = {
  id: 'c1',
  object: 'chat.completion',
  model: MODEL,
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Four degrees.' } }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};
/** What an SDK gives for the same, with the members that it fills in. */
const RETURNED = { ...ANSWER, service_tier: null, system_fingerprint: null };
const PIECES = ['Four ', 'degrees.'].map((content, at) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: MODEL,
  choices: [{ index: 0, delta: { content, role: null, tool_calls: null }, finish_reason: at === 1 ? 'stop' : null }],
}));
const FRAMES = PIECES.map((piece) => `data: ${JSON.stringify(piece)}\n\n`);
const URL = 'https://api.openai.com/v1/chat/completions';
const JSON_HEADERS = { 'content-type': 'application/json' };
const STREAM_HEADERS = { 'content-type': 'text/event-stream' };
const request = { method: 'POST', url: URL, headers: JSON_HEADERS };
const text = (...lines: readonly unknown[]): string => lines.map((line) => JSON.stringify(line)).join('\n');
const rpc = { kind: 'llm', seq: 0, request_hash: 'ab' };

/** A file of each recorder with the call, and one with its stream where that is stored otherwise. YAML is a superset of JSON. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  standin: [
    text({
      version: 1,
      recorded_with: 'standin',
      interactions: [
        {
          request: { ...request, body: { json: ASKED } },
          response: { status_code: 200, headers: JSON_HEADERS, body: { json: ANSWER } },
        },
      ],
    }),
    text({
      version: 1,
      recorded_with: 'standin',
      interactions: [
        {
          request: { ...request, body: { text: JSON.stringify(ASKED) } },
          response: { status_code: 200, headers: STREAM_HEADERS, body: { text: FRAMES.join('') } },
        },
      ],
    }),
  ],
  'agent-replay': [
    text(
      { kind: 'header', library: 'agent-replay', format_version: 1 },
      agentReplay({ status: 200, headers: JSON_HEADERS, body: ANSWER, stream: null }),
    ),
    text(
      { kind: 'header', library: 'agent-replay', format_version: 1 },
      // The body that is put together lacks what streams say in pieces.
      agentReplay({
        status: 200,
        headers: STREAM_HEADERS,
        body: { choices: [] },
        stream: FRAMES.map((data) => ({ data })),
      }),
    ),
  ],
  promptecho: [
    yaml('version: 2', 'match_on: [model]', { interactions: [promptecho({ body: ANSWER, streaming: false })] }),
    yaml('version: 2', 'match_on: [model]', { interactions: [promptecho({ events: FRAMES, streaming: true })] }),
  ],
  cuesheet: [
    yaml('version: 1', {
      interactions: [
        {
          duration_ms: 5,
          recorded_at: '2026-11-01T00:00:00Z',
          request: { ...request, body: ASKED, body_raw: JSON.stringify(ASKED) },
          response: cuesheet({ headers: STREAM_HEADERS, body_raw: FRAMES.join(''), is_streaming: true }),
        },
      ],
    }),
  ],
  'llm-tape': [
    yaml("version: '1'", 'metadata: {}', {
      interactions: [
        {
          id: 'call_0',
          duration_ms: 12.5,
          request: { ...request, body: ASKED },
          response: { status: 200, headers: STREAM_HEADERS, streaming: true, chunks: FRAMES },
        },
      ],
    }),
  ],
  'pytest-llm-vcr': [
    yaml('name: test_weather', {
      interactions: [
        {
          method: 'POST',
          url: URL,
          request_headers: JSON_HEADERS,
          request_body: ASKED,
          status_code: 200,
          response_headers: STREAM_HEADERS,
          response_body: null,
          streaming: true,
          chunks: FRAMES,
        },
      ],
    }),
  ],
  'cassette-sdk': [
    text({
      v: 1,
      fingerprint: 'a1',
      request: { method: 'POST', url: URL, body: JSON.stringify(ASKED) },
      response: { status: 200, headers: JSON_HEADERS, body: JSON.stringify(ANSWER) },
    }),
  ],
  'reel-vcr': [
    text(
      { _meta: { match: 'exact' } },
      {
        schema_version: 1,
        request: { method: 'POST', path: '/v1/chat/completions', fingerprint: 'sha256:1', body: ASKED },
        response: {
          status: 200,
          headers: STREAM_HEADERS,
          body: null,
          stream_chunks: PIECES.map((data) => ({ data, t_offset_ms: 1, event: null })),
        },
      },
    ),
  ],
  cendor: [
    text({ version: 2, entries: [{ ...rpc, request: { ...ASKED, provider: 'openai' }, response: RETURNED }] }),
    text({ version: 2, entries: [{ ...rpc, request: { ...ASKED, provider: 'openai' }, response: PIECES }] }),
  ],
  agenttape: [
    yaml("version: '1'", 'meta:\n  agenttape_version: 0.1.8', {
      interactions: [
        { kind: 'llm', request: { endpoint: 'chat.completions', ...ASKED }, response: RETURNED, latency_ms: 2 },
      ],
    }),
    yaml("version: '1'", 'meta:\n  agenttape_version: 0.1.8', {
      interactions: [
        {
          kind: 'http',
          request: { method: 'POST', url: URL, headers: JSON_HEADERS, json: ASKED },
          response: { status_code: 200, headers: JSON_HEADERS, json: ANSWER },
        },
      ],
    }),
  ],
  'llm-cassette': [
    text({ type: 'header', format_version: 1 }, llmCassette({ body: RETURNED })),
    text({ type: 'header', format_version: 1 }, llmCassette({ chunks: PIECES })),
  ],
  agentcassette: [text(agentcassette(RETURNED)), text(agentcassette(PIECES))],
  agentape: [
    yaml("version: '1.0'", 'provider: openai', {
      interactions: [{ id: 1, request: { method: 'chat.completions.create', ...ASKED }, response: RETURNED }],
    }),
    yaml("version: '1.0'", 'provider: openai', {
      interactions: [
        { id: 1, request: { method: 'chat.completions.create', ...ASKED }, response: {}, streaming_chunks: PIECES },
      ],
    }),
  ],
  'pytest-agentreplay': [
    text(
      { created_at: '2026-11-01', format_version: 1, framework: 'openai' },
      { kind: 'run_start', event_id: '1', timestamp: 1 },
      { kind: 'model_request', event_id: '2', name: MODEL, arguments: ASKED, timestamp: 2 },
      { kind: 'model_response', event_id: '3', name: MODEL, result: RETURNED, timestamp: 3 },
    ),
  ],
};

function agentReplay(response: object): object {
  const asked = { body: ASKED, fp_exact: 'sha256:1', fp_norm: 'sha256:1' };
  const host = 'api.openai.com';
  return {
    kind: 'interaction',
    id: 'i1',
    method: 'POST',
    host,
    path: '/v1/chat/completions',
    request: asked,
    response,
  };
}

function promptecho(response: object): object {
  const asked = { method: 'POST', url: URL, match_key: 'a1', matched_on: ['model'], body: ASKED };
  return { request: asked, response: { status: 200, headers: STREAM_HEADERS, ...response } };
}

function cuesheet(response: object): object {
  return { status_code: 200, body: null, body_stream: null, ...response };
}

function llmCassette(response: object): object {
  const asked = { operation: 'chat.completions.create', body: ASKED };
  return { type: 'llm_call', provider: 'openai', request: asked, response };
}

function agentcassette(result: unknown): object {
  const step = { index: 0, type: 'llm', name: 'ask', arguments: { args: [], kwargs: ASKED }, result, duration_ms: 3 };
  return { version: 1, recorded_at: '2026-11-01T00:00:00Z', duration_ms: 3, steps: [step] };
}

/** Lines of YAML, and members. */
function yaml(...parts: readonly (string | object)[]): string {
  return parts.map((part) => (typeof part === 'string' ? `${part}\n` : yamlText(part))).join('');
}

describe('recorders whose files have a layout', () => {
  const samples = readmeSamples('recorders').map((sample) => ({
    ...sample,
    id: formatOf(tapeFileFromText(sample.text)).id,
  }));

  it('has files of each', () => {
    const written = new Set([...Object.keys(FILES), ...samples.map(({ id }) => id)]);
    assert.deepEqual([...written].sort(), recorderFormats.map(({ id }) => id).sort());
  });

  for (const [at, { id, title, text: sample }] of samples.entries())
    it(`reads the sample of ${title}, ${at + 1}`, () => {
      const [call] = readAs(id, sample).interactions;
      assert.equal(call?.kind, 'llm');
      const asked = call?.request?.messages.at(-1)?.content;
      const answered = call?.response?.content;
      assert.ok(
        asked === 'Weather in Oslo?' || (asked === undefined && answered !== undefined),
        `${asked} ${answered}`,
      );
      assert.ok(
        answered === 'Four degrees.' || (answered === undefined && asked !== undefined),
        `${asked} ${answered}`,
      );
    });

  it('knows what answered by a body that is kept as a text, and by a status that is', () => {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
    const piece = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Four degrees.' } };
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      piece,
      { type: 'message_stop' },
    ];
    for (const [body, api] of [
      [JSON.stringify(ANSWER), 'openai-chat'],
      [FRAMES.join(''), 'openai-chat'],
      [
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
        'anthropic-messages',
      ],
    ] as const) {
      const [call] = readAs('one-response', JSON.stringify({ statusCode: 201, headers: {}, body })).interactions;
      assert.deepEqual([call?.api, call?.http?.status, call?.response?.content], [api, 201, 'Four degrees.']);
    }
    const recorded = { request: { method: 'GET', url: 'https://example.com/' }, response: { status: { code: '404' } } };
    const [failed] = readAs('php-vcr', JSON.stringify([{ ...recorded, index: 0 }])).interactions;
    assert.equal(failed?.http?.status, 404);
  });

  for (const [id, files] of Object.entries(FILES)) {
    for (const [at, file] of files.entries()) {
      it(`reads a call of ${id}, ${at + 1}`, () => {
        const [call, ...others] = readAs(id, file).interactions;
        assert.equal(others.length, 0);
        assert.equal(call?.kind, 'llm');
        assert.equal(call?.api, 'openai-chat');
        assert.equal(call?.http?.method, 'POST');
        assert.match(call?.http?.url ?? '', /\/v1\/chat\/completions$/);
        assert.equal(call?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
        assert.equal(call?.response?.content, 'Four degrees.');
      });

      it(`says what it does not understand of ${id}, ${at + 1}`, () => {
        const other = file.replaceAll('Four ', 'Five ').replaceAll('messages', 'massages');
        assert.equal(formatOf(tapeFileFromText(other)).id, id);
      });
    }
  }

  it('reads calls of tools, and what they failed with', () => {
    const entries = [
      { ...rpc, kind: 'tool', request: { name: 'get_weather', args: { city: 'Oslo' } }, response: { temp: 4 } },
      { ...rpc, request: ASKED, response: RETURNED },
    ];
    const [tool] = readAs('cendor', text({ version: 2, entries })).interactions;
    assert.equal(tool?.kind, 'tool');
    assert.deepEqual(tool?.request?.messages[0]?.toolCalls[0]?.arguments, { city: 'Oslo' });
    assert.equal(tool?.response?.content, '{"temp":4}');
  });

  it('reads a call of a kind that is not known, and tells of it', () => {
    const call = { index: 0, kind: 'embedding', boundary: 'llm', request: { json: ASKED }, response: { json: ANSWER } };
    const file = { version: '1', meta: { agenttape_version: '0.2' }, interactions: [call] };
    const tape = formatOf(tapeFileFromText(text(file))).read(tapeFileFromText(text(file)));
    assert.deepEqual([tape.format, tape.interactions.length], ['agenttape', 1]);
    assert.deepEqual(
      tape.problems.map(({ severity, message }) => [severity, message]),
      [['error', 'content was not read: `kind`']],
    );
  });

  it('gives each protocol its usual address, where a recorder of an SDK has none', () => {
    const vectors = { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }] };
    const message = {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi' }],
    };
    const entries = [
      { ...rpc, request: { model: 'm', input: 'Oslo' }, response: vectors },
      {
        ...rpc,
        request: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
        response: message,
      },
    ];
    assert.deepEqual(
      readAs('cendor', text({ version: 2, entries })).interactions.map(({ http }) => http?.url),
      ['https://api.openai.com/v1/embeddings', 'https://api.anthropic.com/v1/messages'],
    );
  });

  it('reads the call of an OpenHands log, and not its messages as calls of their own', () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
    const log = {
      messages: [...ASKED.messages, { role: 'assistant', content: 'Let me see.' }, { role: 'user', content: 'Go on.' }],
      tools,
      kwargs: { temperature: 0, tools },
      response: ANSWER,
      cost: 0.01,
      timestamp: 1_767_261_600.5,
    };
    const { interactions, problems } = readAs('openhands-completion', JSON.stringify(log));
    const [call, ...others] = interactions;
    assert.equal(others.length, 0);
    assert.deepEqual(
      [call?.request?.messages.length, call?.request?.tools.map(({ name }) => name), call?.request?.params],
      [3, ['look'], { temperature: 0 }],
    );
    assert.deepEqual([call?.response?.content, call?.response?.usage?.totalTokens], ['Four degrees.', 10]);
    assert.deepEqual(problems, []);
  });

  it('has no response where the recorder kept only the name of an object', () => {
    const file = text(
      { created_at: '2026-11-01', format_version: 1, framework: 'openai' },
      { kind: 'model_request', event_id: '2', name: MODEL, arguments: ASKED, timestamp: 2 },
      { kind: 'model_response', event_id: '3', result: '<openai.Stream object at 0x7fe9>', timestamp: 3 },
    );
    const tape = formatOf(tapeFileFromText(file)).read(tapeFileFromText(file));
    assert.deepEqual(tape.interactions[0]?.http?.notKept, { why: 'dropped' });
  });
});
