import assert from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import type { LLMock } from '@copilotkit/aimock';
import { FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { type Agent, recordAndReplay } from '../../harness/proxyTakes';

const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
};
const ABOUT = 'The weather of a city';
const QUESTION = 'How is the weather in Berlin? 🌤';
const ANSWER = 'It is sunny in Berlin: 21 °C, and not a cloud to be seen – enjoy it! 🌞';

/** Calls a tool first, and responds with text when it has the result. */
function weather(mock: LLMock): void {
  mock.on(
    { userMessage: 'weather in Berlin', hasToolResult: false },
    { toolCalls: [{ id: 'call_w', name: 'weather', arguments: '{"city":"Berlin"}' }] },
  );
  mock.on({ userMessage: 'weather in Berlin', hasToolResult: true }, { content: ANSWER });
  mock.on({ userMessage: 'hello' }, { content: 'Hello! How can I help you today?' });
  mock.onEmbedding(/.*/, { embedding: [0.25, -0.5, 1e-7, 0.123456789] });
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The same, of values that are objects with getters: as they are serialised. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

interface Suite {
  readonly sdk: string;
  readonly agents: Readonly<Record<string, Agent>>;
  /** Requests that an agent makes, where it is not one. */
  readonly requests?: Readonly<Record<string, number>>;
}

const openai = ({ OPENAI_BASE_URL, OPENAI_API_KEY }: Readonly<Record<string, string>>) =>
  new OpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, maxRetries: 0 });
const chatTool = { type: 'function' as const, function: { name: 'weather', description: ABOUT, parameters: SCHEMA } };
const responseTool = {
  type: 'function' as const,
  name: 'weather',
  description: ABOUT,
  parameters: SCHEMA,
  strict: true,
};
const chatTurn = (): OpenAI.ChatCompletionMessageParam[] => [
  { role: 'system', content: 'You know the weather.' },
  { role: 'user', content: QUESTION },
];
const chatToolResult: OpenAI.ChatCompletionMessageParam[] = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_w', type: 'function', function: { name: 'weather', arguments: '{"city":"Berlin"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_w', content: '{"temperature":21}' },
];

const openaiSuite: Suite = {
  sdk: 'openai',
  requests: { 'chat, with a tool': 2, 'chat, streamed, with a tool': 2, 'responses, with a tool': 2 },
  agents: {
    'chat, with a tool': async (variables) => {
      const client = openai(variables);
      const settings = { model: 'gpt-4o-mini', tools: [chatTool], temperature: 0 };
      const first = await client.chat.completions.create({ ...settings, messages: chatTurn() });
      const second = await client.chat.completions.create({
        ...settings,
        messages: [...chatTurn(), ...chatToolResult],
      });
      assert.equal(first.choices[0]?.message.tool_calls?.length, 1);
      assert.equal(second.choices[0]?.message.content, ANSWER);
      return [first, second];
    },
    'chat, streamed, with a tool': async (variables) => {
      const client = openai(variables);
      const settings = { model: 'gpt-4o-mini', tools: [chatTool], stream: true as const };
      const first = await all(await client.chat.completions.create({ ...settings, messages: chatTurn() }));
      const second = await all(
        await client.chat.completions.create({ ...settings, messages: [...chatTurn(), ...chatToolResult] }),
      );
      assert.ok(second.length > 2, 'it came in pieces');
      return [first, second];
    },
    'responses, with a tool': async (variables) => {
      const client = openai(variables);
      const settings = { model: 'gpt-4o-mini', tools: [responseTool], instructions: 'You know the weather.' };
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: QUESTION }];
      const first = await client.responses.create({ ...settings, input });
      const call = first.output.find((item) => item.type === 'function_call');
      assert.ok(call);
      const result = { type: 'function_call_output' as const, call_id: call.call_id, output: '{"temperature":21}' };
      const second = await client.responses.create({ ...settings, input: [...input, call, result] });
      assert.equal(second.output_text, ANSWER);
      return [first, second];
    },
    'responses, streamed': async (variables) =>
      all(await openai(variables).responses.create({ model: 'gpt-4o-mini', input: 'Say hello', stream: true })),
    embeddings: async (variables) => {
      const client = openai(variables);
      const made = await client.embeddings.create({ model: 'text-embedding-3-small', input: ['hello', 'world'] });
      assert.equal(made.data.length, 2);
      return made;
    },
    models: async (variables) => all(await openai(variables).models.list()),
  },
};

const anthropic = ({ ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY }: Readonly<Record<string, string>>) =>
  new Anthropic({ baseURL: ANTHROPIC_BASE_URL, apiKey: ANTHROPIC_API_KEY, maxRetries: 0 });
const anthropicSettings = {
  model: 'claude-opus-4-6',
  max_tokens: 200,
  system: 'You know the weather.',
  tools: [{ name: 'weather', description: ABOUT, input_schema: SCHEMA }],
};
const anthropicTurns: Anthropic.MessageParam[] = [
  { role: 'user', content: QUESTION },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_w', name: 'weather', input: { city: 'Berlin' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_w', content: '{"temperature":21}' }] },
];

const anthropicSuite: Suite = {
  sdk: '@anthropic-ai/sdk',
  requests: { 'messages, with a tool': 2, 'messages, streamed, with a tool': 2 },
  agents: {
    'messages, with a tool': async (variables) => {
      const { messages } = anthropic(variables);
      const first = await messages.create({ ...anthropicSettings, messages: anthropicTurns.slice(0, 1) });
      const second = await messages.create({ ...anthropicSettings, messages: anthropicTurns });
      assert.equal(first.stop_reason, 'tool_use');
      return [first, second];
    },
    'messages, streamed, with a tool': async (variables) => {
      const { messages } = anthropic(variables);
      const settings = { ...anthropicSettings, stream: true as const };
      const first = await all(await messages.create({ ...settings, messages: anthropicTurns.slice(0, 1) }));
      const second = await all(await messages.create({ ...settings, messages: anthropicTurns }));
      assert.ok(second.length > 4, 'it came in pieces');
      return [first, second];
    },
  },
};

const gemini = ({ GOOGLE_GEMINI_BASE_URL = '', GEMINI_API_KEY = '' }: Readonly<Record<string, string>>) =>
  new GoogleGenAI({ apiKey: GEMINI_API_KEY, httpOptions: { baseUrl: GOOGLE_GEMINI_BASE_URL } });
const geminiRequest = (done: boolean) => ({
  model: 'gemini-2.5-flash',
  contents: [
    { role: 'user', parts: [{ text: QUESTION }] },
    ...(done
      ? [
          { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Berlin' } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { temperature: 21 } } }] },
        ]
      : []),
  ],
  config: {
    temperature: 0,
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: ABOUT,
            parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } },
          },
        ],
      },
    ],
  },
});

const geminiSuite: Suite = {
  sdk: '@google/genai',
  requests: { 'generateContent, with a tool': 2, 'generateContentStream, with a tool': 2 },
  agents: {
    'generateContent, with a tool': async (variables) => {
      const { models } = gemini(variables);
      const first = await models.generateContent(geminiRequest(false));
      const second = await models.generateContent(geminiRequest(true));
      assert.equal(first.functionCalls?.[0]?.name, 'weather');
      assert.equal(second.text, ANSWER);
      return [first, second].map(plain);
    },
    'generateContentStream, with a tool': async (variables) => {
      const { models } = gemini(variables);
      const first = await all(await models.generateContentStream(geminiRequest(false)));
      const second = await all(await models.generateContentStream(geminiRequest(true)));
      assert.ok(second.length > 1, 'it came in pieces');
      return [first, second].map(plain);
    },
  },
};

const ollama = ({ OLLAMA_HOST = '' }: Readonly<Record<string, string>>) => new Ollama({ host: OLLAMA_HOST });
const ollamaRequest = (done: boolean) => ({
  model: 'llama3.2',
  messages: [
    { role: 'user', content: QUESTION },
    ...(done
      ? [
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ function: { name: 'weather', arguments: { city: 'Berlin' } } }],
          },
          { role: 'tool', content: '{"temperature":21}' },
        ]
      : []),
  ],
  tools: [{ type: 'function', function: { name: 'weather', description: ABOUT, parameters: SCHEMA } }],
});

const ollamaSuite: Suite = {
  sdk: 'ollama',
  requests: { 'chat, with a tool': 2, 'chat, streamed, with a tool': 2 },
  agents: {
    'chat, with a tool': async (variables) => {
      const client = ollama(variables);
      return [await client.chat(ollamaRequest(false)), await client.chat(ollamaRequest(true))];
    },
    'chat, streamed, with a tool': async (variables) => {
      const client = ollama(variables);
      const first = await all(await client.chat({ ...ollamaRequest(false), stream: true }));
      const second = await all(await client.chat({ ...ollamaRequest(true), stream: true }));
      assert.ok(second.length > 1, 'it came in pieces');
      return [first, second];
    },
  },
};

const weatherTool = tool({
  description: ABOUT,
  inputSchema: jsonSchema<{ city: string }>(SCHEMA),
  execute: async () => ({ temperature: 21 }),
});

/** Vercel's SDK runs the loop of calls itself. */
function vercelAgents(
  modelOf: (variables: Readonly<Record<string, string>>) => Parameters<typeof generateText>[0]['model'],
) {
  const settings = (variables: Readonly<Record<string, string>>) => ({
    model: modelOf(variables),
    prompt: QUESTION,
    tools: { weather: weatherTool },
    stopWhen: ({ steps }: { steps: readonly unknown[] }) => steps.length >= 3,
    maxRetries: 0,
  });
  return {
    'generateText, with a tool': async (variables: Readonly<Record<string, string>>) => {
      const { text, toolCalls, usage, finishReason, steps } = await generateText(settings(variables));
      assert.equal(text, ANSWER);
      return { text, toolCalls, usage, finishReason, contents: steps.map(({ content }) => plain(content)) };
    },
    'streamText, with a tool': async (variables: Readonly<Record<string, string>>) => {
      const parts = await all(streamText(settings(variables)).fullStream);
      const known = parts.filter(({ type }) => !/^(start|finish|start-step|finish-step)$/.test(type));
      assert.ok(known.some(({ type }) => type === 'text-delta'));
      assert.ok(!known.some(({ type }) => type === 'error'));
      return known.map(plain);
    },
  };
}

const vercelOpenaiSuite: Suite = {
  sdk: 'ai with @ai-sdk/openai',
  requests: { 'generateText, with a tool': 2, 'streamText, with a tool': 2 },
  agents: vercelAgents(({ OPENAI_BASE_URL = '', OPENAI_API_KEY = '' }) =>
    createOpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY }).chat('gpt-4o-mini'),
  ),
};

const vercelAnthropicSuite: Suite = {
  sdk: 'ai with @ai-sdk/anthropic',
  requests: { 'generateText, with a tool': 2, 'streamText, with a tool': 2 },
  agents: vercelAgents(({ ANTHROPIC_BASE_URL = '', ANTHROPIC_API_KEY = '' }) =>
    createAnthropic({ baseURL: ANTHROPIC_BASE_URL, apiKey: ANTHROPIC_API_KEY })('claude-opus-4-6'),
  ),
};

const langchain = ({ OPENAI_BASE_URL, OPENAI_API_KEY = '' }: Readonly<Record<string, string>>) =>
  new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: OPENAI_API_KEY,
    maxRetries: 0,
    configuration: { baseURL: OPENAI_BASE_URL },
  }).bindTools([langchainTool(async () => '21', { name: 'weather', description: ABOUT, schema: SCHEMA })]);

const langchainSuite: Suite = {
  sdk: '@langchain/openai',
  agents: {
    'invoke, with a tool': async (variables) => {
      const message = await langchain(variables).invoke([new HumanMessage(QUESTION)]);
      assert.equal(message.tool_calls?.[0]?.name, 'weather');
      return plain(message);
    },
    'stream, with a tool': async (variables) =>
      (await all(await langchain(variables).stream([new HumanMessage(QUESTION)]))).map(plain),
    embeddings: ({ OPENAI_BASE_URL, OPENAI_API_KEY = '' }) =>
      new OpenAIEmbeddings({
        model: 'text-embedding-3-small',
        apiKey: OPENAI_API_KEY,
        configuration: { baseURL: OPENAI_BASE_URL },
      }).embedDocuments(['hello', 'world']),
  },
};

const SUITES = [
  openaiSuite,
  anthropicSuite,
  geminiSuite,
  ollamaSuite,
  vercelOpenaiSuite,
  vercelAnthropicSuite,
  langchainSuite,
];

describe('a replay through the proxy is what was recorded', () => {
  for (const format of ['tapedeck', 'vcrpy'] as const)
    describe(`in a tape of ${format}`, () => {
      for (const { sdk, agents, requests } of SUITES)
        for (const [name, agent] of Object.entries(agents))
          it(`for ${sdk}: ${name}`, async () => {
            const { requests: made } = await recordAndReplay(weather, agent, format);
            assert.equal(made, requests?.[name] ?? 1);
          });
    });
});
