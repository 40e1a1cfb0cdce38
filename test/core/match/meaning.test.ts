import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { PROTOCOLS } from '../../../src/core/wire/registry';
import { matchOf } from './requestPairs';

const OPENAI = 'https://api.openai.com/v1';
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';
const user = { role: 'user', content: 'Hi' };

/** A call of a protocol, with members that it has anyway where they are absent, and with some that say something. */
interface Defaults {
  readonly url: string;
  readonly body: JsonRecord;
  readonly silent: readonly JsonRecord[];
  readonly telling: readonly JsonRecord[];
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

const DEFAULTS: Readonly<Record<string, Defaults>> = {
  'openai-chat': {
    url: `${OPENAI}/chat/completions`,
    body: { model: 'gpt-4o', messages: [user] },
    silent: [
      { parallel_tool_calls: true },
      { store: false },
      { service_tier: 'auto' },
      { temperature: 1 },
      { temperature: 1, top_p: 1 },
      { modalities: ['text'] },
      { n: 1, stream: false, logprobs: false, presence_penalty: 0, frequency_penalty: 0, tool_choice: 'auto' },
      { response_format: { type: 'text' }, stop: null, metadata: {}, tools: [], user: '' },
    ],
    telling: [
      { parallel_tool_calls: false },
      { store: true },
      { service_tier: 'flex' },
      { temperature: 0 },
      { top_p: 0.9 },
      { stream: true },
      { truncation: 'disabled' },
      { raw: false },
      { response_format: { type: 'json_object' } },
    ],
  },
  'openai-responses': {
    url: `${OPENAI}/responses`,
    body: { model: 'gpt-4o', input: [user] },
    silent: [
      { parallel_tool_calls: true, service_tier: 'auto', temperature: 1, top_p: 1, truncation: 'disabled' },
      { store: true, stream: false, background: false },
      { text: { format: { type: 'text' } } },
      { text: { format: { type: 'text' }, verbosity: 'medium' } },
      { instructions: '', tool_choice: 'auto', metadata: {} },
    ],
    telling: [{ store: false }, { truncation: 'auto' }, { text: { verbosity: 'low' } }, { background: true }],
  },
  'anthropic-messages': {
    url: 'https://api.anthropic.com/v1/messages',
    body: { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [user], tools: [{ name: 'f', input_schema: {} }] },
    silent: [
      { tool_choice: { type: 'auto' } },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: false } },
      { temperature: 1, stream: false, service_tier: 'auto' },
      { system: '' },
      { system: [], stop_sequences: [] },
    ],
    telling: [
      { tool_choice: { type: 'any' } },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      { tool_choice: 'auto' },
      { top_p: 1 },
      { system: 'Be brief.' },
    ],
  },
  gemini: {
    url: `${GOOGLE}/models/gemini-2.5-flash:generateContent`,
    body: { contents },
    silent: [
      { generationConfig: { responseModalities: ['TEXT'] } },
      { generationConfig: { candidateCount: 1, responseMimeType: 'text/plain' }, safetySettings: [] },
      { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
      { tool_config: { function_calling_config: { mode: 'AUTO' } } },
      { systemInstruction: { parts: [] }, tools: [] },
    ],
    telling: [
      { generationConfig: { responseModalities: ['IMAGE'] } },
      { generationConfig: { temperature: 1 } },
      { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      { toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['f'] } } },
    ],
  },
  'gemini-code-assist': {
    url: 'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
    body: { model: 'gemini-2.5-pro', request: { contents } },
    silent: [{ request: { contents, toolConfig: { functionCallingConfig: { mode: 'AUTO' } } } }],
    telling: [{ request: { contents, toolConfig: { functionCallingConfig: { mode: 'NONE' } } } }],
  },
  'gemini-interactions': {
    url: `${GOOGLE}/interactions`,
    body: { model: 'gemini-2.5-flash', input: 'Hi' },
    silent: [{ store: true, stream: false, background: false }],
    telling: [{ store: false }, { stream: true }],
  },
  ollama: {
    url: 'http://127.0.0.1:11434/api/generate',
    body: { model: 'llama3', prompt: 'Hi' },
    silent: [
      { raw: false, stream: true, keep_alive: '5m' },
      { system: '', template: '', suffix: '', images: [] },
    ],
    telling: [{ stream: false }, { raw: true }, { keep_alive: 0 }, { options: { temperature: 1 } }],
  },
  'bedrock-converse': {
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse',
    body: {
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      toolConfig: { tools: [{ toolSpec: { name: 'f' } }] },
    },
    silent: [{ toolConfig: { tools: [{ toolSpec: { name: 'f' } }], toolChoice: { auto: {} } } }, { system: [] }],
    telling: [{ toolConfig: { tools: [{ toolSpec: { name: 'f' } }], toolChoice: { any: {} } } }],
  },
  cohere: {
    url: 'https://api.cohere.com/v2/chat',
    body: { model: 'command-a', messages: [user] },
    silent: [{ temperature: 0.3, p: 0.75, k: 0, stream: false, safety_mode: 'CONTEXTUAL' }],
    telling: [{ temperature: 1 }, { safety_mode: 'STRICT' }],
  },
  'text-generation': {
    url: `${OPENAI}/completions`,
    body: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' },
    silent: [{ n: 1, best_of: 1, echo: false, stream: false }],
    telling: [{ echo: true }, { temperature: 1 }],
  },
  'openai-assistants': {
    url: `${OPENAI}/threads/thread_1/runs`,
    body: { assistant_id: 'asst_1' },
    silent: [{ parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', truncation_strategy: { type: 'auto' } }],
    telling: [{ temperature: 0 }],
  },
  embeddings: {
    url: `${OPENAI}/embeddings`,
    body: { model: 'text-embedding-3-small', input: ['Hi'] },
    silent: [{ encoding_format: 'float' }, { user: '' }],
    telling: [{ encoding_format: 'base64' }, { dimensions: 256 }],
  },
};

describe('parameters at their default', () => {
  for (const { id } of PROTOCOLS)
    it(`do not count in ${id}, and others do`, () => {
      const { url, body, silent, telling } = DEFAULTS[id] ?? assert.fail(`no examples of ${id}`);
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
