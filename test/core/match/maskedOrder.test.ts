import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { formatMask } from '../../../src/core/match/masks';
import { matchOf } from './requestPairs';

interface Form {
  readonly url: string;
  /** A request with calls and their results, in the order of these numbers. */
  request(results: readonly number[], ids?: string): Json;
  tools(names: readonly string[]): JsonRecord;
}

const NUMBERS = [1, 2, 3];
const user = { role: 'user', content: 'weather in three cities?' };
const openaiTools = (names: readonly string[]) => ({
  tools: names.map((name) => ({ type: 'function', function: { name, description: `${name}!` } })),
});
const geminiContents = (results: readonly number[], ids: string, together: boolean): Json => [
  { role: 'user', parts: [{ text: 'weather in three cities?' }] },
  { role: 'model', parts: NUMBERS.map((n) => ({ functionCall: { id: `${ids}${n}`, name: 'weather', args: { n } } })) },
  ...(together
    ? [{ role: 'user', parts: results.map((n) => geminiResult(ids, n)) }]
    : results.map((n) => ({ role: 'user', parts: [geminiResult(ids, n)] }))),
];
const geminiResult = (ids: string, n: number): Json => ({
  functionResponse: { id: `${ids}${n}`, name: 'weather', response: { degrees: 10 - n } },
});
const anthropicCall = (results: readonly number[], ids: string, together: boolean): Json => [
  user,
  {
    role: 'assistant',
    content: NUMBERS.map((n) => ({ type: 'tool_use', id: `${ids}${n}`, name: 'weather', input: { n } })),
  },
  ...(together
    ? [{ role: 'user', content: results.map((n) => anthropicResult(ids, n)) }]
    : results.map((n) => ({ role: 'user', content: [anthropicResult(ids, n)] }))),
];
const anthropicResult = (ids: string, n: number): Json => ({
  type: 'tool_result',
  tool_use_id: `${ids}${n}`,
  content: `${10 - n}C`,
});

const FORMS: Readonly<Record<string, Form>> = {
  'OpenAI Chat': {
    url: 'https://api.openai.com/v1/chat/completions',
    request: (results, ids = 'call_') => ({
      model: 'gpt-4o',
      messages: [
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: NUMBERS.map((n) => ({
            id: `${ids}${n}`,
            type: 'function',
            function: { name: 'weather', arguments: `{"n":${n}}` },
          })),
        },
        ...results.map((n) => ({ role: 'tool', tool_call_id: `${ids}${n}`, content: `${10 - n}C` })),
        { role: 'user', content: 'and?' },
      ],
    }),
    tools: openaiTools,
  },
  'OpenAI Responses': {
    url: 'https://api.openai.com/v1/responses',
    request: (results, ids = 'call_') => ({
      model: 'gpt-4o',
      input: [
        user,
        ...NUMBERS.map((n) => ({
          type: 'function_call',
          call_id: `${ids}${n}`,
          name: 'weather',
          arguments: `{"n":${n}}`,
        })),
        ...results.map((n) => ({ type: 'function_call_output', call_id: `${ids}${n}`, output: `${10 - n}C` })),
      ],
    }),
    tools: (names) => ({ tools: names.map((name) => ({ type: 'function', name, description: `${name}!` })) }),
  },
  'Responses without their calls': {
    url: 'https://api.openai.com/v1/responses',
    request: (results) => ({
      model: 'gpt-4o',
      previous_response_id: 'resp_1',
      input: results.map((n) => ({ type: 'function_call_output', call_id: `call_${n}`, output: `${10 - n}C` })),
    }),
    tools: (names) => ({ tools: names.map((name) => ({ type: 'function', name })) }),
  },
  Anthropic: {
    url: 'https://api.anthropic.com/v1/messages',
    request: (results, ids = 'toolu_') => ({
      model: 'claude',
      max_tokens: 9,
      messages: anthropicCall(results, ids, true),
    }),
    tools: (names) => ({ tools: names.map((name) => ({ name, description: `${name}!`, input_schema: {} })) }),
  },
  'Anthropic, a message each': {
    url: 'https://api.anthropic.com/v1/messages',
    request: (results, ids = 'toolu_') => ({
      model: 'claude',
      max_tokens: 9,
      messages: anthropicCall(results, ids, false),
    }),
    tools: (names) => ({ tools: names.map((name) => ({ name, input_schema: {} })) }),
  },
  Gemini: {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    request: (results, ids = 'g') => ({ contents: geminiContents(results, ids, true) }),
    tools: (names) => ({ tools: [{ functionDeclarations: names.map((name) => ({ name, description: `${name}!` })) }] }),
  },
  'Gemini, a message each': {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    request: (results, ids = 'g') => ({ contents: geminiContents(results, ids, false) }),
    tools: (names) => ({ tools: names.map((name) => ({ functionDeclarations: [{ name }] })) }),
  },
  'Gemini CLI': {
    url: 'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
    request: (results, ids = 'g') => ({
      model: 'g',
      project: 'p',
      request: { contents: geminiContents(results, ids, true) },
    }),
    tools: (names) => ({ tools: names }),
  },
  Bedrock: {
    url: 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse',
    request: (results, ids = 'tooluse_') => ({
      inferenceConfig: { maxTokens: 9 },
      messages: [
        { role: 'user', content: [{ text: 'x' }] },
        {
          role: 'assistant',
          content: NUMBERS.map((n) => ({ toolUse: { toolUseId: `${ids}${n}`, name: 'weather', input: { n } } })),
        },
        {
          role: 'user',
          content: results.map((n) => ({ toolResult: { toolUseId: `${ids}${n}`, content: [{ text: `${10 - n}C` }] } })),
        },
      ],
    }),
    tools: (names) => ({
      toolConfig: { tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: {} } } })) },
    }),
  },
  Ollama: {
    url: 'http://localhost:11434/api/chat',
    request: (results) => ({
      model: 'llama3.2',
      messages: [
        user,
        {
          role: 'assistant',
          content: '',
          tool_calls: NUMBERS.map((n) => ({ function: { name: `w${n}`, arguments: {} } })),
        },
        ...results.map((n) => ({ role: 'tool', tool_name: `w${n}`, content: `${10 - n}C` })),
      ],
    }),
    tools: openaiTools,
  },
  Cohere: {
    url: 'https://api.cohere.com/v2/chat',
    request: (results, ids = 'c') => ({
      model: 'command-a',
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: NUMBERS.map((n) => ({
            id: `${ids}${n}`,
            type: 'function',
            function: { name: 'w', arguments: '{}' },
          })),
        },
        ...results.map((n) => ({ role: 'tool', tool_call_id: `${ids}${n}`, content: `${10 - n}C` })),
      ],
    }),
    tools: openaiTools,
  },
  'Mistral Conversations': {
    url: 'https://api.mistral.ai/v1/conversations/conv_1',
    request: (results) => ({
      inputs: results.map((n) => ({ type: 'function.result', tool_call_id: `c${n}`, result: `${10 - n}C` })),
    }),
    tools: openaiTools,
  },
  'Gemini Interactions': {
    url: 'https://generativelanguage.googleapis.com/v1beta/interactions',
    request: (results) => ({
      model: 'gemini-3',
      previous_interaction_id: 'i',
      input: results.map((n) => ({ type: 'function_result', call_id: `c${n}`, name: 'w', result: `${10 - n}C` })),
    }),
    tools: (names) => ({ tools: names.map((name) => ({ type: 'function', name })) }),
  },
  'OpenAI Assistants': {
    url: 'https://api.openai.com/v1/threads/t/runs/r/submit_tool_outputs',
    request: (results) => ({ tool_outputs: results.map((n) => ({ tool_call_id: `c${n}`, output: `${10 - n}C` })) }),
    tools: openaiTools,
  },
};

function proposed(missed: ReturnType<typeof matchOf>): readonly string[] | undefined {
  return 'explain' in missed ? missed.explain().masks.map(formatMask) : undefined;
}

describe('An order that a mask leaves out', () => {
  for (const [name, { url, request, tools }] of Object.entries(FORMS))
    describe(name, () => {
      const results = request([1, 2, 3]);
      const others = request([3, 1, 2]);

      it('is that of results', () => {
        // Three other results in a request without anything else are another request.
        if (name !== 'OpenAI Assistants')
          assert.deepEqual(proposed(matchOf(results, others, { url })), ['result-order']);
        assert.equal(matchOf(results, others, { url, masks: ['result-order'] }).kind, 'masked');
        assert.equal(matchOf(others, results, { url, masks: ['result-order'] }).kind, 'masked');
        const changed = JSON.parse(JSON.stringify(others).replace(/7C|:7\b/, (text) => text.replace('7', '8'))) as Json;
        assert.notEqual(matchOf(results, changed, { url, masks: ['result-order'] }).kind, 'masked');
      });

      it('is that of tools', () => {
        const both = (order: readonly string[]) => ({ ...(request([1, 2, 3]) as JsonRecord), ...tools(order) });
        const isList = Array.isArray(tools(['a']).tools) && name === 'Gemini CLI';
        if (isList) return;
        const [one, other] = [both(['weather', 'news', 'time']), both(['time', 'weather', 'news'])];
        assert.deepEqual(proposed(matchOf(one, other, { url })), ['tool-order']);
        assert.equal(matchOf(one, other, { url, masks: ['tool-order'] }).kind, 'masked');
        assert.equal(matchOf(one, both(['time', 'weather']), { url, masks: ['tool-order'] }).kind, 'drifted');
      });
    });

  it('goes with ids that a client makes up', () => {
    for (const [name, { url, request }] of Object.entries(FORMS)) {
      const [one, other] = [request([1, 2, 3], 'a_'), request([3, 1, 2], 'b_')];
      assert.equal(matchOf(one, other, { url, masks: ['result-order'] }).kind, 'masked', name);
    }
  });

  it('is that of both, and goes with a preset', () => {
    const { url, request, tools } = FORMS['OpenAI Chat'] as Form;
    const one = { ...(request([1, 2, 3]) as JsonRecord), ...tools(['a', 'b']), user: 'on 2026-05-01' };
    const other = { ...(request([2, 1, 3]) as JsonRecord), ...tools(['b', 'a']), user: 'on 2026-05-02' };
    const masks = proposed(matchOf(one, other, { url })) ?? [];
    assert.deepEqual([...masks].sort(), ['date', 'result-order', 'tool-order']);
    assert.equal(matchOf(one, other, { url, masks }).kind, 'masked');
  });

  it('is not that of the conversation', () => {
    const { url } = FORMS['OpenAI Chat'] as Form;
    const says = (...texts: readonly string[]) => ({
      model: 'm',
      messages: texts.map((content) => ({ role: 'user', content })),
    });
    assert.equal(
      matchOf(says('a', 'b'), says('b', 'a'), { url, masks: ['result-order', 'tool-order'] }).kind,
      'drifted',
    );
  });
});
