import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { PROTOCOLS } from '../../../src/core/wire/registry';
import { examplesOf } from '../wire/examples';
import { matchOf } from './requestPairs';

const OPENAI = 'https://api.openai.com/v1';
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';
const user = { role: 'user', content: 'Hi' };

describe('parameters at their default', () => {
  for (const { id } of PROTOCOLS)
    it(`do not count in ${id}, and others do`, async () => {
      const { url, body, silent, telling } = await examplesOf(id);
      for (const more of silent) {
        assert.equal(matchOf(body, { ...body, ...more }, { url }).kind, 'equivalent', `added ${JSON.stringify(more)}`);
        assert.equal(
          matchOf({ ...body, ...more }, body, { url }).kind,
          'equivalent',
          `removed ${JSON.stringify(more)}`,
        );
      }
      for (const more of telling) {
        const taken = matchOf(body, { ...body, ...more }, { url });
        assert.ok('explain' in taken, JSON.stringify(more));
      }
    });

  it('are those of their protocol, and other traffic has none', () => {
    const plain = { url: 'https://api.weather.example/forecast' };
    assert.equal(matchOf({ city: 'Oslo' }, { city: 'Oslo', n: 1 }, plain).kind, 'drifted');
    assert.equal(matchOf({ city: 'Oslo' }, { city: 'Oslo', n: null }, plain).kind, 'equivalent');
    // The body tells the protocol where the path does not.
    const gateway = { url: 'https://gateway.example/llm' };
    assert.equal(matchOf({ messages: [user] }, { messages: [user], stream: false }, gateway).kind, 'equivalent');
  });

  it('are null inside of messages and tools as well, but not in what a tool, an agent, or a schema says', () => {
    const isSame = (before: JsonRecord, after: JsonRecord, url: string) =>
      assert.equal(matchOf(before, after, { url }).kind, 'equivalent', JSON.stringify(after));
    const differs = (before: JsonRecord, after: JsonRecord, url: string) =>
      assert.equal(matchOf(before, after, { url }).kind, 'drifted', JSON.stringify(after));
    const anthropic = 'https://api.anthropic.com/v1/messages';
    const blocks = (...content: JsonRecord[]): JsonRecord => ({ messages: [{ role: 'user', content }] });
    const text = { type: 'text', text: 'Hi' };
    isSame(blocks(text), blocks({ ...text, citations: null, cache_control: null }), anthropic);
    const use = { type: 'tool_use', id: 'toolu_1', name: 'f' };
    differs(blocks({ ...use, input: {} }), blocks({ ...use, input: { city: null } }), anthropic);
    const gemini = `${GOOGLE}/models/gemini-2.5-flash:generateContent`;
    const parts = (...of: JsonRecord[]): JsonRecord => ({ contents: [{ role: 'user', parts: of }] });
    isSame(parts({ text: 'Hi' }), parts({ text: 'Hi', thought: null, inlineData: null }), gemini);
    differs(
      parts({ functionCall: { name: 'f', args: {} } }),
      parts({ functionCall: { name: 'f', args: { x: null } } }),
      gemini,
    );
    const declared = (more: JsonRecord): JsonRecord => ({
      ...parts({ text: 'Hi' }),
      tools: [{ functionDeclarations: [{ name: 'f', ...more }], googleSearch: null }],
    });
    isSame(declared({}), declared({ behavior: null, response: null, parameters: null }), gemini);
    differs(
      declared({ parameters: { type: 'object' } }),
      declared({ parameters: { type: 'object', default: null } }),
      gemini,
    );
    const ollama = 'http://localhost:11434/api/chat';
    const format = (more: JsonRecord): JsonRecord => ({
      messages: [user],
      format: { type: 'object', properties: { a: { type: 'string', ...more } } },
    });
    differs(format({}), format({ const: null }), ollama);
  });

  it('are those of a function, too', () => {
    const withTool = (more: JsonRecord): JsonRecord => ({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: {}, ...more } }],
    });
    assert.equal(matchOf(withTool({}), withTool({ strict: false })).kind, 'equivalent');
    assert.equal(matchOf(withTool({}), withTool({ strict: true })).kind, 'drifted');
    const flat = (more: JsonRecord): JsonRecord => ({
      input: [user],
      tools: [{ type: 'function', name: 'f', ...more }],
    });
    const url = 'https://api.openai.com/v1/responses';
    assert.equal(matchOf(flat({}), flat({ strict: false }), { url }).kind, 'drifted');
  });

  it('are named with their value where the other request has another', () => {
    const change = (before: JsonRecord, after: JsonRecord) => {
      const taken = matchOf({ messages: [user], ...before }, { messages: [user], ...after });
      assert.ok('explain' in taken);
      return taken.explain().changes?.params;
    };
    assert.deepEqual(change({ temperature: 0 }, { temperature: 1 }), [{ path: ['temperature'], before: 0, after: 1 }]);
    assert.deepEqual(change({ store: false }, { store: true }), [{ path: ['store'], before: false, after: true }]);
    assert.deepEqual(change({ n: 2 }, {}), [{ path: ['n'], before: 2 }]);
  });
});

/** Conversations with two calls and their results, by the ids of the calls and of those to which the results belong. */
const CONVERSATIONS: Readonly<
  Record<string, { readonly url: string; of(calls: readonly string[], results: readonly string[]): Json }>
> = {
  'openai-chat': {
    url: `${OPENAI}/chat/completions`,
    of: (calls, results) => ({
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: calls.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
        ...results.map((id, at) => ({ role: 'tool', tool_call_id: id, content: `${at}` })),
      ],
    }),
  },
  'openai-chat of custom tools': {
    url: `${OPENAI}/chat/completions`,
    of: (calls, results) => ({
      messages: [
        {
          role: 'assistant',
          tool_calls: calls.map((id) => ({ id, type: 'custom', custom: { name: 'f', input: '' } })),
        },
        ...results.map((id, at) => ({ role: 'tool', tool_call_id: id, content: `${at}` })),
      ],
    }),
  },
  'openai-responses': {
    url: `${OPENAI}/responses`,
    of: (calls, results) => ({
      input: [
        ...calls.map((id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })),
        ...results.map((id, at) => ({ type: 'function_call_output', call_id: id, output: `${at}` })),
      ],
    }),
  },
  'anthropic-messages': {
    url: 'https://api.anthropic.com/v1/messages',
    of: (calls, results) => ({
      max_tokens: 1,
      messages: [
        { role: 'assistant', content: calls.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
        {
          role: 'user',
          content: results.map((id, at) => ({ type: 'tool_result', tool_use_id: id, content: `${at}` })),
        },
      ],
    }),
  },
  gemini: {
    url: `${GOOGLE}/models/gemini-2.5-flash:generateContent`,
    of: (calls, results) => ({
      contents: [
        { role: 'model', parts: calls.map((id) => ({ functionCall: { id, name: 'f', args: {} } })) },
        { role: 'user', parts: results.map((id, at) => ({ functionResponse: { id, name: 'f', response: { at } } })) },
      ],
    }),
  },
  'gemini in snake case': {
    url: `${GOOGLE}/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    of: (calls, results) => ({
      contents: [
        { role: 'model', parts: calls.map((id) => ({ function_call: { id, name: 'f', args: {} } })) },
        { role: 'user', parts: results.map((id, at) => ({ function_response: { id, name: 'f', response: { at } } })) },
      ],
    }),
  },
  'gemini with ids of results only': {
    url: `${GOOGLE}/models/gemini-2.5-flash:generateContent`,
    of: (_, results) => ({
      contents: [
        { role: 'model', parts: results.map(() => ({ functionCall: { name: 'f', args: {} } })) },
        { role: 'user', parts: results.map((id, at) => ({ functionResponse: { id, name: 'f', response: { at } } })) },
      ],
    }),
  },
  'gemini-code-assist': {
    url: 'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
    of: (calls, results) => ({
      model: 'm',
      request: {
        contents: [
          { role: 'model', parts: calls.map((id) => ({ functionCall: { id, name: 'f', args: {} } })) },
          { role: 'user', parts: results.map((id, at) => ({ functionResponse: { id, name: 'f', response: { at } } })) },
        ],
      },
    }),
  },
  'gemini-interactions': {
    url: `${GOOGLE}/interactions`,
    of: (calls, results) => ({
      input: [
        ...calls.map((id) => ({ type: 'function_call', id, name: 'f', arguments: {} })),
        ...results.map((id, at) => ({ type: 'function_result', call_id: id, name: 'f', result: `${at}` })),
      ],
    }),
  },
  'bedrock-converse': {
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse',
    of: (calls, results) => ({
      messages: [
        { role: 'assistant', content: calls.map((id) => ({ toolUse: { toolUseId: id, name: 'f', input: {} } })) },
        {
          role: 'user',
          content: results.map((id, at) => ({ toolResult: { toolUseId: id, content: [{ text: `${at}` }] } })),
        },
      ],
    }),
  },
  ollama: {
    url: 'http://127.0.0.1:11434/api/chat',
    of: (calls, results) => ({
      messages: [
        {
          role: 'assistant',
          content: '',
          tool_calls: calls.map((id) => ({ id, function: { name: 'f', arguments: {} } })),
        },
        ...results.map((id, at) => ({ role: 'tool', tool_call_id: id, content: `${at}` })),
      ],
    }),
  },
  cohere: {
    url: 'https://api.cohere.com/v2/chat',
    of: (calls, results) => ({
      messages: [
        {
          role: 'assistant',
          tool_calls: calls.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
        ...results.map((id, at) => ({ role: 'tool', tool_call_id: id, content: [{ type: 'text', text: `${at}` }] })),
      ],
    }),
  },
  'an unknown path': {
    url: 'https://gateway.example/llm',
    of: (calls, results) => ({
      messages: [
        { role: 'assistant', content: calls.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
        {
          role: 'user',
          content: results.map((id, at) => ({ type: 'tool_result', tool_use_id: id, content: `${at}` })),
        },
      ],
    }),
  },
};

describe('ids of tool calls', () => {
  for (const [name, { url, of }] of Object.entries(CONVERSATIONS))
    it(`may be others in each request, as long as each result belongs to its call: ${name}`, () => {
      const before = of(['a', 'b'], ['a', 'b']);
      for (const match of ['exact', 'sequence'] as const) {
        assert.equal(matchOf(before, of(['x1', 'x2'], ['x1', 'x2']), { url, match }).kind, 'equivalent');
        const isMixedUp = 'explain' in matchOf(before, of(['x1', 'x2'], ['x2', 'x1']), { url, match });
        assert.equal(isMixedUp, !name.includes('results only'));
      }
    });

  it('are not all ids: what a request refers to at the provider counts', () => {
    const url = `${OPENAI}/responses`;
    const refers = (id: string): Json => ({ model: 'm', input: [{ type: 'item_reference', id }] });
    assert.equal(matchOf(refers('msg_1'), refers('msg_2'), { url }).kind, 'drifted');
  });
});

describe('the ids of a run', () => {
  const [first, second] = ['ec3ac9b9-5ec4-4492-9bfb-afcb0139b835', '0ce7495b-d0ae-4ebc-9d5d-9d56fe9a36ea'];
  const claude = 'https://api.anthropic.com/v1/messages';
  const flags = 'https://api.anthropic.com/api/eval/sdk-1';
  const asked = (more: JsonRecord): JsonRecord => ({ model: 'claude', max_tokens: 9, messages: [user], ...more });
  const bySession = (id: string, device = 'd1') =>
    asked({ metadata: { user_id: `{"device_id":"${device}","account_uuid":"","session_id":"${id}"}` } });

  it('may be others in each run, where a client makes up UUIDs for them', () => {
    assert.equal(matchOf(bySession(first), bySession(second), { url: claude }).kind, 'equivalent');
    assert.equal(matchOf(bySession(first), bySession(first), { url: claude }).kind, 'exact');
    assert.equal(matchOf(bySession(first), bySession(second, 'd2'), { url: claude }).kind, 'equivalent', 'in CI');
    const older = (id: string) => asked({ metadata: { user_id: `user_8f2c_account__session_${id}` } });
    assert.equal(matchOf(older(first), older(second), { url: claude }).kind, 'equivalent');
    const evaluated = (id: string) => ({ attributes: { sessionId: id, platform: 'linux' } });
    assert.equal(matchOf(evaluated(first), evaluated(second), { url: flags }).kind, 'equivalent');
    const here = { attributes: { id: '5608', sessionId: first, deviceID: '5608', credentialKind: 'api_key' } };
    const inCi = { attributes: { id: '9f2c', sessionId: second, deviceID: '9f2c', platform: 'linux' } };
    assert.equal(matchOf(here, inCi, { url: flags }).kind, 'equivalent');
    assert.notEqual(matchOf(here, { ...inCi, url: '/shop' }, { url: flags }).kind, 'equivalent');
    for (const name of ['trace_id', 'runId', 'request-id', 'correlation_id', 'invocation_id', 'sessionUUID'])
      assert.equal(matchOf({ [name]: [first] }, { [name]: [second] }, { url: flags }).kind, 'equivalent', name);
  });

  it('may be after the name of a product, and without hyphens', () => {
    const hex = (id: string) => id.replaceAll('-', '');
    const names = [
      'litellm_trace_id',
      'litellm_session_id',
      'langfuse_trace_id',
      'ls_run_id',
      'parentRunId',
      'root_span_id',
    ];
    for (const name of [...names, 'session_id'])
      for (const write of [String, hex]) {
        const sent = (id: string) => asked({ metadata: { [name]: write(id) } });
        assert.equal(matchOf(sent(first), sent(second), { url: claude }).kind, 'equivalent', name);
      }
    for (const name of ['pull_request_id', 'obsession_id', 'customer_run_id'])
      assert.equal(matchOf({ [name]: first }, { [name]: second }, { url: flags }).kind, 'drifted', name);
    const short = (id: string) => ({ session_id: id });
    assert.equal(matchOf(short('ec3ac9b9'), short('0ce7495b'), { url: flags }).kind, 'drifted');
  });

  it('are neither those of anything else, nor words, nor in what is said', () => {
    const other = (before: JsonRecord, after: JsonRecord, url = claude) => matchOf(before, after, { url }).kind;
    for (const name of ['user_id', 'customer_id', 'id', 'thread_id', 'session'])
      assert.equal(other({ [name]: first }, { [name]: second }, flags), 'drifted', name);
    assert.equal(other({ session_id: 'blue' }, { session_id: 'green' }, flags), 'drifted');
    assert.equal(other({ session_id: first }, {}, flags), 'drifted', 'that there is one counts');
    const user = (user_id: string) => asked({ metadata: { user_id } });
    assert.equal(
      other(user(`{"tenant":"a","session_id":"${first}"}`), user(`{"tenant":"b","session_id":"${first}"}`)),
      'drifted',
    );
    const saying = (id: string) => asked({ messages: [{ role: 'user', content: `"session_id": "${id}"` }] });
    assert.equal(other(saying(first), saying(second)), 'drifted');
  });
});
