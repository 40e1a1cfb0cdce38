import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTapeFile } from '../../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../../corpus';
import { formatOf, readAs } from '../editing';

const lines = (...all: readonly unknown[]): string => all.map((line) => JSON.stringify(line)).join('\n');

describe('recordings of the Agent Development Kit', () => {
  const recording = (responses: object) => ({
    recordings: [
      {
        user_message_index: 0,
        agent_name: 'weather',
        llm_recording: {
          llm_request: {
            model: 'gemini-2.5-flash',
            contents: [{ role: 'user', parts: [{ text: 'Weather in Oslo?' }] }],
            config: { system_instruction: 'Be brief.' },
          },
          ...responses,
        },
      },
      {
        user_message_index: 0,
        agent_name: 'weather',
        tool_recording: {
          tool_call: { id: 'adk-1', name: 'get_weather', args: { city: 'Oslo' } },
          tool_response: { id: 'adk-1', name: 'get_weather', response: { temp: 4 } },
        },
      },
    ],
  });
  const said = (text: string, more: object = {}) => ({
    model_version: 'gemini-2.5-flash',
    content: { role: 'model', parts: [{ text }] },
    ...more,
  });

  it('reads a model and a tool', () => {
    const file = lines(recording({ llm_response: said('Four degrees.', { finish_reason: 'STOP' }) }));
    const [model, tool] = readAs('google-adk', file).interactions;
    assert.equal(model?.api, 'gemini');
    assert.deepEqual(
      model?.request?.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', 'Weather in Oslo?'],
      ],
    );
    assert.equal(model?.request?.model, 'gemini-2.5-flash');
    assert.equal(model?.response?.content, 'Four degrees.');
    assert.equal(tool?.kind, 'tool');
    assert.equal(tool?.response?.content, '{"temp":4}');
  });

  it('reads the whole of a stream, which follows its pieces', () => {
    const pieces = [said('Four ', { partial: true }), said('degrees.', { partial: true }), said('Four degrees.')];
    const [model] = readAs('google-adk', lines(recording({ llm_responses: pieces }))).interactions;
    assert.equal(model?.response?.content, 'Four degrees.');
  });
});

describe('recordings of vitest-evals', () => {
  const call = {
    writtenAt: '2026-11-01',
    toolName: 'get_weather',
    input: { city: 'Oslo' },
    metadata: { cacheKey: 'a' },
  };

  it('reads a call of a tool, and one that failed', () => {
    const [good] = readAs('vitest-evals', lines({ ...call, output: { temp: 4 } })).interactions;
    assert.equal(good?.request?.messages[0]?.toolCalls[0]?.name, 'get_weather');
    assert.equal(good?.response?.content, '{"temp":4}');
    const failed = { ...call, error: { message: 'no such city', type: 'Error' } };
    const [bad] = readAs('vitest-evals', lines(failed)).interactions;
    assert.equal(bad?.response?.error, 'no such city');
  });
});

describe('logs of MCP messages', () => {
  const asked = {
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'get_weather', arguments: { city: 'Oslo' } },
  };
  const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'looking' } };
  const reply = { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: '4 degrees' }] } };
  const noted = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const FILES: Readonly<Record<string, string>> = {
    'mcp-cassette': lines({
      format_version: 3,
      messages: [
        { sender: 'client', kind: 'notification', payload: noted },
        { sender: 'client', kind: 'request', payload: asked },
        { sender: 'server', kind: 'notification', payload: note },
        { sender: 'server', kind: 'response', payload: reply },
      ],
    }),
    'mcp-vcr': lines({
      meta: { version: 1, schema_version: 1 },
      messages: [
        { dir: 'c2s', t: 1, payload: noted },
        { dir: 'c2s', t: 2, payload: asked },
        { dir: 's2c', t: 3, payload: note },
        { dir: 's2c', t: 4, payload: reply },
      ],
    }),
    'mcp-rec': lines(
      { ts: 1, dir: 'client->server', msg: noted },
      { ts: 2, dir: 'client->server', msg: asked },
      { ts: 3, dir: 'server->client', msg: note },
      { ts: 4, dir: 'server->client', msg: reply },
    ),
    'agent-vcr': lines({
      format_version: '1.0.0',
      session: {
        initialize_request: noted,
        interactions: [{ sequence: 0, request: asked, response: { ...reply, error: null }, notifications: [note] }],
      },
    }),
  };

  for (const [recorder, file] of Object.entries(FILES)) {
    it(`reads those of ${recorder}`, () => {
      const [first, call, ...others] = readAs('mcp-messages', file).interactions;
      assert.equal(others.length, 0);
      assert.equal(first?.mcp?.message.method, 'notifications/initialized');
      assert.equal(call?.response?.content, '4 degrees');
      assert.deepEqual(
        call?.mcp?.steps.map(({ message }) => message.method ?? 'the reply'),
        ['notifications/message', 'the reply'],
      );
    });
  }
});

describe('streams of Claude Code', () => {
  const user = { type: 'user', message: { role: 'user', content: 'Weather in Oslo?' }, session_id: 's1' };
  const answer = (id: string, block: object) => ({
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      usage: { input_tokens: 7, output_tokens: 3 },
    },
    session_id: 's1',
  });
  const use = { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } };
  const result = {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '4' }] },
    session_id: 's1',
  };
  const frames = [
    { type: 'system', subtype: 'init', session_id: 's1', tools: ['get_weather'] },
    user,
    answer('m1', { type: 'text', text: 'I look.' }),
    answer('m1', use),
    result,
    answer('m2', { type: 'text', text: 'Four degrees.' }),
    { type: 'result', subtype: 'success', session_id: 's1', result: 'Four degrees.' },
  ];

  it('reads what the program prints', () => {
    const [first, second, ...others] = readAs('claude-stream', lines(...frames)).interactions;
    assert.equal(others.length, 0);
    assert.equal(first?.request?.messages.at(-1)?.content, 'Weather in Oslo?');
    assert.equal(first?.response?.content, 'I look.');
    assert.equal(first?.response?.toolCalls[0]?.name, 'get_weather');
    assert.equal(second?.request?.messages.length, 3);
    assert.equal(second?.response?.content, 'Four degrees.');
  });

  it('reads what the Agent SDK wrote and read', () => {
    const kept = frames.map((frame) =>
      frame === user ? { dir: 'write', data: `${JSON.stringify(frame)}\n` } : { dir: 'read', frame },
    );
    const calls = readAs('claude-stream', lines(...kept)).interactions;
    assert.deepEqual(
      calls.map(({ response }) => response?.content),
      ['I look.', 'Four degrees.'],
    );
  });
});

describe('cassettes of coding-agent-vcr', () => {
  it('says where the responses are', () => {
    const one = { id: 'a1', request_ref: 'requests/a1.json', response_ref: 'responses/a1.json' };
    const file = decodeTapeFile(
      'cassette.json',
      Buffer.from(lines({ cassette_id: 'c', schema_version: 1, transactions: [one] })),
    );
    const [only] = formatOf(file).read(file).interactions;
    assert.deepEqual(only?.http?.notKept, { why: 'elsewhere', file: 'responses/a1.json' });
  });

  it('reads a request', () => {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Weather in Oslo?' }],
    };
    const request = { method: 'POST', path: '/v1/messages', headers: { 'anthropic-version': '1' }, body };
    const file = decodeTapeFile('requests/a1.json', Buffer.from(lines(request)));
    const [only] = formatOf(file).read(file).interactions;
    assert.deepEqual(only?.http?.notKept, { why: 'absent' });
    assert.equal(only?.request?.messages[0]?.content, 'Weather in Oslo?');
  });
});

/** Of how many records each file was made, where its index does not count what we count. */
const COUNTED_OTHERWISE: Readonly<Record<string, number>> = {
  // Notifications of a client are interactions.
  'mcp_cassette/weather.json': 6,
  'mcp_rec/weather.jsonl': 6,
  'claude_agent_cassette/synthetic-tool.tape.jsonl': 2,
};

corpusSuite('the files of new recorders', (corpus) => {
  const folder = join(corpus, '_new');
  const rows = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trim().split('\n').slice(1);
  for (const row of rows) {
    const [path = '', , , , count] = row.split('\t');
    it(`reads ${path}`, () => {
      const file = decodeTapeFile(path, readFileSync(join(folder, path)));
      const tape = formatOf(file).read(file);
      assert.equal(tape.interactions.length, COUNTED_OTHERWISE[path] ?? Number(count));
      // What a recorder did not keep, or put into another file, is told as that.
      const unread = tape.problems.filter(({ code, severity }) => severity === 'error' && code !== 'not-kept');
      assert.deepEqual(unread, []);
    });
  }
});
