import assert from 'node:assert/strict';
import { isRecord, type Json } from '../../../../src/core/json/json';
import { editRequest, type RequestEdits } from '../../../../src/core/wire/edit/editRequest';
import { readExchange } from '../../../../src/core/wire/read/readExchange';

interface Sample {
  readonly url: string;
  readonly body: Json;
  /** The id of its call with a result. */
  readonly call: string;
  /** A list of tools in the form of the protocol. */
  readonly tools: readonly Json[];
}

const CHAT_TOOLS = [{ type: 'function', function: { name: 'refund', parameters: { type: 'object' } } }];
const chatMessages = (withSystem: boolean): Json => [
  ...(withSystem ? [{ role: 'system', content: 'Be kind.' }] : []),
  { role: 'user', content: 'Refund order 7.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'lost' },
];

const RESPONSES_INPUT: Json[] = [
  { role: 'user', content: 'Refund order 7.' },
  { type: 'function_call', call_id: 'c1', name: 'lookup', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'lost' },
];

const OLLAMA_MESSAGES: Json[] = [
  { role: 'user', content: 'Refund order 7.' },
  { role: 'assistant', content: '', tool_calls: [{ function: { name: 'lookup', arguments: {} } }] },
  { role: 'tool', tool_name: 'lookup', content: 'lost' },
];

const gemini = (withSystem: boolean) => ({
  ...(withSystem && { systemInstruction: { parts: [{ text: 'Be kind.' }] } }),
  contents: [
    { role: 'user', parts: [{ text: 'Refund order 7.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'lookup', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'lookup', response: { result: 'lost' } } }] },
  ],
  tools: [{ functionDeclarations: [{ name: 'lookup' }] }],
});
const GEMINI_TOOLS = [{ functionDeclarations: [{ name: 'refund' }] }];

const anthropic = (withSystem: boolean) => ({
  max_tokens: 100,
  ...(withSystem && { system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }] }),
  messages: [
    { role: 'user', content: 'Refund order 7.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'lookup', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'lost' }] }] },
  ],
  tools: [{ name: 'lookup', input_schema: { type: 'object' } }],
});
const ANTHROPIC_TOOLS = [{ name: 'refund', input_schema: { type: 'object' } }];

const SAMPLES: Readonly<Record<string, (withSystem: boolean) => Sample>> = {
  'openai-chat': (withSystem) => ({
    url: 'https://api.openai.com/v1/chat/completions',
    body: { model: 'old', messages: chatMessages(withSystem), tools: CHAT_TOOLS, temperature: 0.5 },
    call: 'c1',
    tools: CHAT_TOOLS,
  }),
  'openai-chat of Azure': (withSystem) => ({
    url: 'https://x.openai.azure.com/openai/deployments/old/chat/completions?api-version=2024-10-21',
    body: { messages: chatMessages(withSystem), tools: CHAT_TOOLS },
    call: 'c1',
    tools: CHAT_TOOLS,
  }),
  'openai-responses': (withSystem) => ({
    url: 'https://api.openai.com/v1/responses',
    body: {
      model: 'old',
      ...(withSystem && { instructions: 'Be kind.' }),
      input: RESPONSES_INPUT,
      tools: [{ type: 'function', name: 'lookup', parameters: { type: 'object' } }],
    },
    call: 'c1',
    tools: [{ type: 'function', name: 'refund', parameters: { type: 'object' } }],
  }),
  'anthropic-messages': (withSystem) => ({
    url: 'https://api.anthropic.com/v1/messages',
    body: { model: 'old', ...anthropic(withSystem) },
    call: 'c1',
    tools: ANTHROPIC_TOOLS,
  }),
  'anthropic-messages of Bedrock': (withSystem) => ({
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/old.model-v1%3A0/invoke',
    body: { anthropic_version: 'bedrock-2023-05-31', ...anthropic(withSystem) },
    call: 'c1',
    tools: ANTHROPIC_TOOLS,
  }),
  gemini: (withSystem) => ({
    url: 'https://generativelanguage.googleapis.com/v1beta/models/old:streamGenerateContent?alt=sse',
    body: gemini(withSystem),
    call: 'lookup_1',
    tools: GEMINI_TOOLS,
  }),
  'gemini-code-assist': (withSystem) => ({
    url: 'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
    body: { model: 'old', project: 'p', request: gemini(withSystem) },
    call: 'lookup_1',
    tools: GEMINI_TOOLS,
  }),
  'bedrock-converse': (withSystem) => ({
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/old.model-v1%3A0/converse',
    body: {
      ...(withSystem && { system: [{ text: 'Be kind.' }] }),
      messages: [
        { role: 'user', content: [{ text: 'Refund order 7.' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'lookup', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'lost' }] } }] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'lookup', inputSchema: { json: { type: 'object' } } } }] },
    },
    call: 'c1',
    tools: [{ toolSpec: { name: 'refund', inputSchema: { json: { type: 'object' } } } }],
  }),
  ollama: (withSystem) => ({
    url: 'http://127.0.0.1:11434/api/chat',
    body: {
      model: 'old',
      messages: [...(withSystem ? [{ role: 'system', content: 'Be kind.' }] : []), ...OLLAMA_MESSAGES],
      tools: CHAT_TOOLS,
      options: { temperature: 0 },
    },
    call: 'lookup_1',
    tools: CHAT_TOOLS,
  }),
  cohere: (withSystem) => ({
    url: 'https://api.cohere.com/v2/chat',
    body: { model: 'old', messages: chatMessages(withSystem), tools: CHAT_TOOLS },
    call: 'c1',
    tools: CHAT_TOOLS,
  }),
};

function edit({ url, body }: Sample, edits: RequestEdits) {
  const edited = editRequest({ url, body: JSON.stringify(body, null, 2) }, edits);
  assert.ok('body' in edited, JSON.stringify(edited));
  return { url: edited.url, body: JSON.parse(edited.body) as Json, request: readRequest(edited.url, edited.body) };
}

function readRequest(url: string, text: string) {
  return readExchange({
    ...{ method: 'POST', url, requestHeaders: [], requestBody: { type: 'text', text } },
    ...{ responseHeaders: [], responseBody: { type: 'none' } },
  }).request;
}

describe('editing requests', () => {
  for (const [name, sampleOf] of Object.entries(SAMPLES)) {
    const sample = sampleOf(true);
    it(`changes the model (${name})`, () => {
      const model = name === 'gemini' ? 'new-2' : 'vendor.new-v2:0';
      const { url, body, request } = edit(sample, { model });
      assert.equal(request?.model, model);
      assert.doesNotMatch(url + JSON.stringify(isRecord(body) ? body.model : ''), /old/);
    });

    it(`changes a system prompt, or adds one (${name})`, () => {
      for (const withSystem of [true, false]) {
        const { request, body } = edit(sampleOf(withSystem), { system: 'Be "brief".\nVery.' });
        const [first, ...others] = request?.messages ?? [];
        assert.deepEqual([first?.role, first?.content], ['system', 'Be "brief".\nVery.']);
        assert.equal(others.length, 3);
        if (name.startsWith('anthropic') && withSystem) assert.match(JSON.stringify(body), /"cache_control"/);
      }
    });

    it(`changes the tools, or leaves them out (${name})`, () => {
      assert.deepEqual(
        edit(sample, { tools: sample.tools }).request?.tools.map((tool) => tool.name),
        ['refund'],
      );
      const none = edit(sample, { tools: [] });
      assert.deepEqual([none.request?.tools, none.request?.messages.length], [[], 4]);
    });

    it(`changes the result of a tool, and nothing else (${name})`, () => {
      const { body, request } = edit(sample, { toolResults: { [sample.call]: 'on its way' } });
      assert.match(request?.messages.at(-1)?.content ?? '', /on its way/);
      assert.equal(JSON.stringify(body), JSON.stringify(sample.body).replace('lost', 'on its way'));
    });
  }

  it('keeps the bytes of what it does not change', () => {
    const body = '{ "model" : "old",\n\t"messages":[{"role":"user","content":"\\u00e9"}], "seed":1.0 }';
    const edited = editRequest({ url: 'https://api.openai.com/v1/chat/completions', body }, { model: 'new' });
    assert.deepEqual(edited, {
      url: 'https://api.openai.com/v1/chat/completions',
      body: body.replace('"old"', '"new"'),
    });
  });

  it('leaves requests that are no calls of a model alone', () => {
    const request = { url: 'https://api.openai.com/v1/embeddings', body: '{"model":"e","input":["a"]}' };
    assert.equal(editRequest(request, { model: 'new', system: 'x' }), request);
  });

  it('refuses what a protocol has no place for', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/runs';
    const edited = editRequest({ url, body: '{"assistant_id":"asst_1"}' }, { model: 'new' });
    if ('refused' in edited) assert.match(edited.refused, /cannot change the model/);
    else assert.equal(edited.body, '{"assistant_id":"asst_1"}');
  });
});
