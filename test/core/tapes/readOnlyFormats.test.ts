import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import { detectFormat } from '../../../src/core/tapes/readTape';
import type { Tape } from '../../../src/core/tapes/tape';
import { type TapeFile, tapeFile, textFile } from '../../../src/core/tapes/tapeFile';

function readFile(file: TapeFile, format: string): Tape {
  const found = detectFormat(file);
  assert.equal(found?.id, format);
  const tape = found?.read(file);
  assert.ok(tape);
  return tape;
}

function read(text: string, format: string, path = ''): Tape {
  return readFile(textFile(text, path), format);
}

const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

const candidate = (text: string): object => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });

describe('the gemini-cli format', () => {
  it('reads a call a line, streamed or not, and what is no chat', () => {
    const text = lines(
      { method: 'generateContentStream', response: [candidate('Hel'), candidate('lo')] },
      { method: 'generateContent', response: candidate('Bye') },
      { method: 'countTokens', response: { totalTokens: 7 } },
    );
    const { interactions, problems } = read(text, 'gemini-cli');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      interactions.map(({ kind, response, summary }) => [kind, response?.content ?? summary]),
      [
        ['llm', 'Hello'],
        ['llm', 'Bye'],
        ['http', 'countTokens'],
      ],
    );
    assert.equal(interactions[0]?.response?.chunks?.length, 2);
    const { start = 0, end = 0 } = interactions[1]?.source ?? {};
    assert.equal(JSON.parse(text.slice(start, end)).method, 'generateContent');
  });

  it('says what is wrong where', () => {
    const text = `${lines({ method: 'generateContent', response: candidate('a') }, { method: 'generateContent' })}\n{"method": "x", "resp`;
    const { interactions, problems } = read(text, 'gemini-cli');
    assert.equal(interactions.length, 2);
    assert.deepEqual(
      problems.map(({ message, span }) => [message, text.slice(0, span.start).split('\n').length]).sort(),
      [
        ['a recorded call needs `response`', 2],
        ['invalid JSON: a string is not closed', 3],
      ],
    );
  });
});

describe('the AI SDK fixture format', () => {
  const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] });

  it('reads the pieces of a stream as one answer', () => {
    const tape = read(lines(delta('Hel'), delta('lo')), 'vercel-ai', 'x.chunks.txt');
    assert.deepEqual([tape.interactions.length, tape.records], [1, 2]);
    assert.equal(tape.interactions[0]?.response?.content, 'Hello');
  });

  it('knows an answer by what it looks like, without a name', () => {
    const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] };
    assert.equal(read(JSON.stringify(body, null, 2), 'vercel-ai').interactions[0]?.response?.content, 'hi');
    assert.equal(read(lines(delta('a'), delta('b')), 'vercel-ai').interactions[0]?.response?.content, 'ab');
  });

  it('takes what is no answer of a model only from the fixtures of a package', () => {
    const job = '{"id": "1", "status": "transcribed"}';
    assert.equal(detectFormat(textFile(job, 'src/__fixtures__/job.json')), undefined);
    const tape = read(job, 'vercel-ai', 'packages/revai/src/__fixtures__/job.json');
    assert.equal(tape.interactions[0]?.kind, 'http');
  });

  it('does not claim other JSON', () => {
    const others = [
      '{}',
      '[]',
      '{"name": "x", "version": "1.0.0"}',
      '{"data": [1]}',
      '{"message": "hi"}',
      '{"a": 1}\n{"a": 2}',
    ];
    for (const text of others) assert.equal(detectFormat(textFile(text, 'package.json')), undefined, text);
  });
});

const event = {
  event: 'model',
  timestamp: '2026-01-01T00:00:00+00:00',
  model: 'openai/gpt-x',
  input: [
    { role: 'system', content: 'attachment://abc' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', image: 'attachment://img' },
      ],
    },
    {
      role: 'tool',
      content: '',
      tool_call_id: 'c0',
      function: 'bash',
      error: { type: 'timeout', message: 'too slow' },
    },
  ],
  tools: [{ name: 'bash', description: 'tc://abc', parameters: { type: 'object' } }],
  config: { temperature: 0.5, max_tokens: null },
  output: {
    model: 'gpt-x',
    choices: [
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'hm' },
            { type: 'text', text: 'A cat' },
          ],
          tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
        },
        stop_reason: 'tool_calls',
      },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5, input_tokens_cache_read: 1 },
    time: 1.2345,
  },
};
const sample = {
  id: 1,
  epoch: 2,
  score: 0,
  events: [{ event: 'state' }, event],
  attachments: { abc: 'a long text', img: 'data:image/png;base64,AAAA' },
};
const header = { version: 2, status: 'success', eval: { task: 'cats' } };

function checkSample({ name, version, interactions, problems }: Tape): void {
  assert.deepEqual([name, version, interactions.length, problems], ['cats', '2', 1, []]);
  const [{ request, response, timing, id } = assert.fail()] = interactions;
  assert.deepEqual(
    request?.messages.map(({ role, content, isError }) => [role, content, isError === true]),
    [
      ['system', 'a long text', false],
      ['user', 'Look', false],
      ['tool', 'too slow', true],
    ],
  );
  assert.deepEqual(request?.messages[1]?.parts?.[1], { type: 'image', mime: 'image/png', base64: 'AAAA' });
  assert.deepEqual(request?.params, { temperature: 0.5 });
  assert.equal(request?.tools[0]?.description, 'a long text');
  assert.deepEqual([response?.content, response?.finishReason, id], ['A cat', 'tool_calls', '1_epoch_2']);
  assert.deepEqual(response?.toolCalls[0]?.arguments, { cmd: 'ls' });
  assert.deepEqual(response?.usage, { promptTokens: 3, completionTokens: 2, totalTokens: 5, cachedTokens: 1 });
  assert.equal(timing?.durationMs, 1235);
}

/** A zstd frame of one raw block: as little as the format lets one write. RFC 8878, section 3.1.1. */
function zstd(content: Uint8Array): Uint8Array {
  const size = content.length - 256;
  const block = (content.length << 3) | 1;
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0x60, size & 0xff, size >> 8, block & 0xff, (block >> 8) & 0xff, block >> 16];
  return new Uint8Array([...head, ...content]);
}

/** The zip with another method of compression for one of its files. */
function withMethod(zip: Uint8Array, name: string, method: number): Uint8Array {
  const changed = zip.slice();
  const view = new DataView(changed.buffer);
  const latin1 = Buffer.from(zip).toString('latin1');
  view.setUint16(latin1.indexOf(name) - 30 + 8, method, true);
  view.setUint16(latin1.lastIndexOf(name) - 46 + 10, method, true);
  return changed;
}

describe('the Inspect log format', () => {
  const files = {
    '_journal/start.json': strToU8(JSON.stringify(header)),
    'samples/1_epoch_2.json': strToU8(JSON.stringify(sample).replace('"score":0', '"score":NaN')),
    'header.json': strToU8(JSON.stringify(header)),
  };

  it('reads a zip, deflated or stored, with its references resolved', () => {
    for (const level of [0, 6] as const)
      checkSample(readFile(tapeFile('a.eval', zipSync(files, { level })), 'inspect'));
  });

  it('reads entries in zstd', () => {
    const zip = zipSync(
      { 'header.json': files['header.json'], 'samples/1_epoch_2.json': zstd(files['samples/1_epoch_2.json']) },
      { level: 0 },
    );
    checkSample(readFile(tapeFile('a.eval', withMethod(zip, 'samples/1_epoch_2.json', 93)), 'inspect'));
  });

  it('reads the older JSON, with places, NaN and a transcript', () => {
    const { events, attachments, ...rest } = sample;
    const old = { ...rest, transcript: { events, content: attachments } };
    const text = JSON.stringify({ ...header, samples: [old] }, null, 2).replace('"score": 0', '"score": NaN');
    const tape = read(text, 'inspect');
    checkSample(tape);
    const { start = 0, end = 0 } = tape.interactions[0]?.source ?? {};
    assert.equal(JSON.parse(text.slice(start, end)).event, 'model');
  });

  it('finds messages that are kept in a pool', () => {
    const pooled = {
      ...sample,
      events: [
        {
          ...event,
          input: [],
          input_refs: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
      message_pool: event.input,
    };
    const tape = read(JSON.stringify({ ...header, samples: [pooled] }), 'inspect');
    assert.deepEqual(
      tape.interactions[0]?.request?.messages.map(({ role }) => role),
      ['system', 'tool'],
    );
  });

  it('reads what is there of a zip that was cut off, and says that it was', () => {
    const whole = zipSync(files);
    const tape = readFile(tapeFile('a.eval', whole.subarray(0, whole.length - 60)), 'inspect');
    assert.equal(tape.interactions.length, 1);
    assert.match(tape.problems[0]?.message ?? '', /the zip is damaged: its directory is missing/);
    const torn = readFile(tapeFile('a.eval', whole.subarray(0, 300)), 'inspect');
    assert.match(
      torn.problems.map(({ message }) => message).join('\n'),
      /samples\/1_epoch_2\.json in the zip cannot be read/,
    );
  });

  it('leaves other zips and other JSON alone', () => {
    assert.equal(detectFormat(tapeFile('a.docx', zipSync({ 'word/document.xml': strToU8('<x/>') }))), undefined);
    assert.equal(detectFormat(textFile('{"version": 2, "status": "ok"}')), undefined);
  });
});

const frames = (...events: readonly (readonly [string, unknown])[]): string => {
  const items = events.map(
    ([direction, data]) => `- kind: message\n  direction: ${direction}\n  data: ${JSON.stringify(data)}\n`,
  );
  return `version: 1\ninteractions:\n${items.join('')}`;
};

describe('the WebSocket cassette format', () => {
  const create = {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
  };
  const done = (item: object): object => ({
    type: 'response.done',
    response: { status: 'completed', output: [item], usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 } },
  });
  const spoken = {
    id: 'i2',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_audio', transcript: 'Hello!' }],
  };

  it("groups OpenAI's frames into turns", () => {
    const tape = read(
      frames(
        ['received', { type: 'session.created', session: { model: 'gpt-rt', instructions: 'default' } }],
        [
          'sent',
          { type: 'session.update', session: { instructions: 'Be brief.', tools: [{ type: 'function', name: 'f' }] } },
        ],
        ['sent', create],
        ['sent', { type: 'response.create' }],
        ['received', { type: 'conversation.item.added', item: { ...create.item, id: 'i1' } }],
        ['received', { type: 'response.created', response: {} }],
        ['received', done({ type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' })],
        [
          'sent',
          { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'c1', output: '2' } },
        ],
        ['received', { type: 'response.created', response: {} }],
        ['received', { type: 'response.output_audio_transcript.delta', delta: 'Hello!' }],
        ['received', done(spoken)],
      ),
      'ws-frames',
    );
    assert.deepEqual([tape.interactions.length, tape.records, tape.problems], [2, 11, []]);
    const [first, second] = tape.interactions;
    assert.equal(first?.request?.model, 'gpt-rt');
    assert.deepEqual(
      second?.request?.messages.map(({ role, content, toolCalls }) => [role, content, toolCalls.length]),
      [
        ['system', 'Be brief.', 0],
        ['user', 'hi', 0],
        ['assistant', null, 1],
        ['tool', '2', 0],
      ],
    );
    assert.deepEqual(first?.response?.toolCalls[0]?.arguments, { a: 1 });
    assert.deepEqual([second?.response?.content, second?.response?.usage?.totalTokens], ['Hello!', 3]);
    assert.equal(second?.response?.chunks?.length, 3);
  });

  it('hears what was said aloud, and keeps an answer that was cut off', () => {
    const heard = {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'i1',
      transcript: 'Hi there',
    };
    const tape = read(
      frames(
        ['sent', { type: 'input_audio_buffer.append', audio: 'AAAA' }],
        [
          'received',
          {
            type: 'conversation.item.created',
            item: { id: 'i1', type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] },
          },
        ],
        ['received', { type: 'response.created', response: {} }],
        ['received', heard],
        ['received', { type: 'response.text.delta', delta: 'Hel' }],
      ),
      'ws-frames',
    );
    assert.deepEqual(
      tape.interactions.map(({ request, response }) => [request?.messages.at(-1)?.content, response?.content]),
      [['Hi there', 'Hel']],
    );
  });

  it("groups Gemini's frames into turns", () => {
    const tape = read(
      frames(
        ['sent', { setup: { model: 'models/g', systemInstruction: { parts: [{ text: 'Be brief.' }] } } }],
        ['received', { setupComplete: {} }],
        ['sent', { client_content: { turns: [{ role: 'user', parts: [{ text: 'hi' }] }], turnComplete: true } }],
        ['received', { toolCall: { functionCalls: [{ id: 'c1', name: 'f', args: { a: 1 } }] } }],
        ['sent', { toolResponse: { functionResponses: [{ id: 'c1', name: 'f', response: { b: 2 } }] } }],
        ['received', { serverContent: { outputTranscription: { text: 'Hel' } } }],
        [
          'received',
          { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } } },
        ],
        ['received', { serverContent: { outputTranscription: { text: 'lo' } } }],
        [
          'received',
          {
            serverContent: { turnComplete: true },
            usageMetadata: { promptTokenCount: 2, responseTokenCount: 1, totalTokenCount: 3 },
          },
        ],
      ),
      'ws-frames',
    );
    assert.deepEqual(
      tape.interactions.map(({ request, response }) => [
        request?.messages.map(({ role }) => role).join(' '),
        response?.content ?? response?.toolCalls[0]?.name,
      ]),
      [
        ['system user', 'f'],
        ['system user assistant tool', 'Hello'],
      ],
    );
    assert.equal(tape.interactions[1]?.response?.usage?.completionTokens, 1);
  });

  it('says why a connection ended, and shows frames without a turn', () => {
    const closed = `${frames(['sent', create])}- kind: close\n  code: 1008\n  reason: gone\n  ok: false\n`;
    assert.match(read(closed, 'ws-frames').interactions[0]?.response?.error ?? '', /closed: 1008 gone/);
    const [only] = read(frames(['received', { type: 'session.created' }]), 'ws-frames').interactions;
    assert.deepEqual([only?.kind, only?.summary], ['frame', '1 frames without a turn, the first: session.created']);
  });
});

describe('the xAI gRPC cassette format', () => {
  const doc = (member: string, value: object, more = ''): string =>
    `version: 1\ninteractions:\n- ${member}: ${JSON.stringify(value)}\n${more}`;
  const request = {
    json: {
      model: 'grok',
      temperature: 0.5,
      messages: [{ role: 'ROLE_USER', content: [{ text: 'hi' }] }],
      tools: [{ function: { name: 'f', parameters: '{"type": "object"}' } }, { web_search: {} }],
    },
    raw: 'AAAA',
  };

  it('reads a sample', () => {
    const call = { id: 'c1', type: 'TOOL_CALL_TYPE_CLIENT_SIDE_TOOL', function: { name: 'f', arguments: '{}' } };
    const search = {
      id: 'c2',
      type: 'TOOL_CALL_TYPE_WEB_SEARCH_TOOL',
      function: { name: 'web_search', arguments: '{}' },
    };
    const outputs = [
      { message: { role: 'ROLE_ASSISTANT', tool_calls: [search], reasoning_content: 'hm' } },
      { message: { role: 'ROLE_TOOL', tool_calls: [search], encrypted_content: 'x' } },
      { finish_reason: 'REASON_STOP', message: { role: 'ROLE_ASSISTANT', content: 'done', tool_calls: [call] } },
    ];
    const response = { json: { outputs, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, raw: '' };
    const [only] = read(
      doc('request_sample', request, `  response_sample: ${JSON.stringify(response)}\n`),
      'xai-proto',
    ).interactions;
    assert.deepEqual(only?.request?.params, { temperature: 0.5 });
    assert.deepEqual(only?.request?.tools, [
      { name: 'f', schema: { type: 'object' } },
      { name: 'web_search', settings: { web_search: {} } },
    ]);
    assert.deepEqual([only?.response?.content, only?.response?.finishReason], ['done', 'stop']);
    assert.deepEqual(
      only?.response?.parts?.map(({ type }) => type),
      ['reasoning', 'server_tool', 'server_tool', 'text'],
    );
    assert.deepEqual(
      only?.response?.toolCalls.map(({ id }) => id),
      ['c1'],
    );
  });

  it('joins a stream', () => {
    const chunk = (content: string): object => ({
      chunk: { outputs: [{ delta: { role: 'ROLE_ASSISTANT', content } }] },
    });
    const text = doc(
      'request_stream',
      request,
      `  response_stream: ${JSON.stringify({ chunks_json: [chunk('Hel'), chunk('lo')] })}\n`,
    );
    const [only] = read(text, 'xai-proto').interactions;
    assert.deepEqual([only?.response?.content, only?.response?.chunks?.length], ['Hello', 2]);
  });

  it('names calls of the collections API, and says when there is only protobuf', () => {
    const search = { method: 'search', request_json: { query: 'cats' }, response_raw: '' };
    const collections = read(doc('collections_method', search), 'xai-proto');
    assert.deepEqual(
      [collections.interactions[0]?.kind, collections.interactions[0]?.summary],
      ['http', 'collections: search, cats'],
    );
    const raw = read(doc('request_sample', { raw: 'AAAA' }), 'xai-proto');
    assert.deepEqual(
      raw.problems.map(({ severity }) => severity),
      ['info'],
    );
  });
});

describe('the MCP stdio format', () => {
  const rpc = (stream: string, message: object): string =>
    `${stream}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`;
  const asked = (id: number, name: string, args: object): string =>
    rpc('STDIN', { id, method: 'tools/call', params: { name, arguments: args } });

  it('joins requests with their results by id, whoever asked', () => {
    const text = [
      'STDERR: starting',
      rpc('STDIN', { id: 0, method: 'initialize', params: {} }),
      rpc('STDOUT', { id: 0, result: {} }),
      rpc('STDIN', { method: 'notifications/initialized' }),
      asked(1, 'a', { x: 1 }),
      asked(2, 'b', {}),
      rpc('STDOUT', { id: 1, method: 'sampling/createMessage', params: {} }),
      rpc('STDOUT', { id: 2, result: { content: [{ type: 'text', text: 'second' }], isError: true } }),
      rpc('STDIN', { id: 1, result: {} }),
      rpc('STDOUT', {
        id: 1,
        result: {
          content: [
            { type: 'text', text: 'first' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        },
      }),
    ].join('\n');
    const { interactions, problems } = read(text, 'mcp-stdio');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      interactions.map(({ kind, summary, request, response }) => [
        kind,
        summary ?? request?.messages[0]?.toolCalls[0]?.name,
        response?.content,
        response?.error,
      ]),
      [
        ['http', 'initialize', undefined, undefined],
        ['tool', 'a', 'first', undefined],
        ['tool', 'b', 'second', 'second'],
        ['http', 'sampling/createMessage', undefined, undefined],
      ],
    );
    assert.deepEqual(
      interactions[1]?.response?.parts?.map(({ type }) => type),
      ['text', 'image'],
    );
  });

  it('names replies to nothing and broken lines', () => {
    const text = [asked(1, 'a', {}), rpc('STDOUT', { id: 9, result: {} }), 'STDOUT: {"jsonrpc": "2.0", "id"'].join(
      '\n',
    );
    const { problems } = read(text, 'mcp-stdio');
    assert.deepEqual(
      problems.map(({ severity, span }) => [severity, text.slice(0, span.start).split('\n').length]),
      [
        ['warning', 2],
        ['error', 3],
      ],
    );
  });
});
