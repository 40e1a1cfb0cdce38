// Agents as users of their frameworks write them, with no address of Tapedeck: node support.mjs NAME PROMPT
import { z } from 'zod';

const [name, PROMPT] = process.argv.slice(2);
const SYSTEM = 'You are a support agent. Use the tools.';
const CLAUDE = 'claude-sonnet-4-5';
const GEMINI = 'gemini-2.5-flash';
const say = (...what) => console.log(...what);
const get_order = async ({ order_id }) => `order ${order_id}: shipped to Paris`;
const get_weather = async ({ city }) => `${city}: 21 degrees`;
const order = z.object({ order_id: z.number() });
const weather = z.object({ city: z.string() });

const openAiTools = [
  ['get_order', 'order_id', 'integer'],
  ['get_weather', 'city', 'string'],
].map(([tool, property, type]) => ({
  name: tool,
  parameters: { type: 'object', properties: { [property]: { type } }, required: [property] },
}));
const byName = { get_order, get_weather };

async function aiModel(provider) {
  if (provider === 'anthropic') return (await import('@ai-sdk/anthropic')).anthropic(CLAUDE);
  if (provider === 'google') return (await import('@ai-sdk/google')).google(GEMINI);
  const { openai } = await import('@ai-sdk/openai');
  return provider === 'chat' ? openai.chat('gpt-4o') : openai('gpt-4o');
}

async function aiAsked(provider) {
  const { tool, stepCountIs } = await import('ai');
  return {
    ...{ model: await aiModel(provider), system: SYSTEM, prompt: PROMPT, maxRetries: 1, stopWhen: stepCountIs(5) },
    tools: {
      get_order: tool({ description: 'order', inputSchema: order, execute: get_order }),
      get_weather: tool({ description: 'weather', inputSchema: weather, execute: get_weather }),
    },
  };
}

async function aiSdk(provider) {
  const { generateText } = await import('ai');
  say((await generateText(await aiAsked(provider))).text);
}

async function langchainWith(model) {
  const { createAgent, tool } = await import('langchain');
  const tools = [
    tool(get_order, { name: 'get_order', description: 'order', schema: order }),
    tool(get_weather, { name: 'get_weather', description: 'weather', schema: weather }),
  ];
  const agent = createAgent({ model, systemPrompt: SYSTEM, tools });
  const result = await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] });
  say(result.messages.at(-1).text ?? result.messages.at(-1).content);
}

const AGENTS = {
  async openai_js() {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI();
    const said = [{ role: 'user', content: PROMPT }];
    const tools = openAiTools.map((one) => ({ type: 'function', function: one }));
    for (;;) {
      const stream = client.chat.completions.stream({ model: 'gpt-4o', messages: said, tools });
      const message = (await stream.finalChatCompletion()).choices[0].message;
      said.push(message);
      if (!message.tool_calls?.length) return say(message.content);
      for (const { id, function: called } of message.tool_calls)
        said.push({ role: 'tool', tool_call_id: id, content: await byName[called.name](JSON.parse(called.arguments)) });
    }
  },
  async anthropic_js() {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    const messages = [{ role: 'user', content: PROMPT }];
    const stream = new Anthropic().messages.stream({ model: CLAUDE, max_tokens: 500, messages });
    stream.on('text', (text) => say(text));
    say((await stream.finalMessage()).stop_reason);
  },
  async google_genai_js() {
    const { GoogleGenAI } = await import('@google/genai');
    const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });
    say((await client.models.generateContent({ model: GEMINI, contents: PROMPT })).text);
    for await (const one of await client.models.generateContentStream({ model: GEMINI, contents: `${PROMPT} Again.` }))
      say(one.text);
  },
  ai_sdk: () => aiSdk('openai'),
  ai_sdk_chat: () => aiSdk('chat'),
  ai_sdk_anthropic: () => aiSdk('anthropic'),
  ai_sdk_google: () => aiSdk('google'),
  async ai_sdk_stream() {
    const { streamText } = await import('ai');
    let failed;
    const onError = ({ error }) => {
      failed = error;
    };
    const pieces = [];
    for await (const one of streamText({ ...(await aiAsked('anthropic')), onError }).textStream) pieces.push(one);
    if (failed) throw failed;
    say(pieces);
  },
  async ai_sdk_mcp() {
    const { generateText, stepCountIs } = await import('ai');
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Stdio } = await import('@ai-sdk/mcp/mcp-stdio');
    const client = await createMCPClient({ transport: new Stdio({ command: 'python3', args: [process.env.SHOP] }) });
    const model = await aiModel('chat');
    say((await generateText({ model, prompt: PROMPT, tools: await client.tools(), stopWhen: stepCountIs(5) })).text);
    await client.close();
  },
  langchain_js: () => langchainWith('openai:gpt-4o'),
  langchain_js_anthropic: () => langchainWith(`anthropic:${CLAUDE}`),
  langchain_js_google: () => langchainWith(`google-genai:${GEMINI}`),
  async langgraph_js() {
    const { ChatOpenAI } = await import('@langchain/openai');
    const { StateGraph, MessagesAnnotation, START, END } = await import('@langchain/langgraph');
    const model = new ChatOpenAI({ model: 'gpt-4o', streaming: true, streamUsage: true });
    const ask = (system) => async (state) => ({
      messages: [await model.invoke([{ role: 'system', content: system }, ...state.messages])],
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('optimist', ask('You are an optimist.'))
      .addNode('pessimist', ask('You are a pessimist.'))
      .addEdge(START, 'optimist')
      .addEdge(START, 'pessimist')
      .addEdge('optimist', END)
      .addEdge('pessimist', END)
      .compile();
    const { messages } = await graph.invoke({ messages: [{ role: 'user', content: PROMPT }] });
    say(messages.map(({ content }) => content));
  },
  async openai_agents_js() {
    const { Agent, run, tool } = await import('@openai/agents');
    const tools = [
      tool({ name: 'get_order', description: 'order', parameters: order, execute: get_order }),
      tool({ name: 'get_weather', description: 'weather', parameters: weather, execute: get_weather }),
    ];
    const agent = new Agent({ name: 'support', instructions: SYSTEM, model: 'gpt-4.1-mini', tools });
    say((await run(agent, PROMPT)).finalOutput);
  },
  async mastra() {
    const { Agent } = await import('@mastra/core/agent');
    const { createTool } = await import('@mastra/core/tools');
    const tools = {
      get_order: createTool({
        ...{ id: 'get_order', description: 'order', inputSchema: order },
        execute: (given) => get_order(given.context ?? given),
      }),
      get_weather: createTool({
        ...{ id: 'get_weather', description: 'weather', inputSchema: weather },
        execute: (given) => get_weather(given.context ?? given),
      }),
    };
    const model = 'openai/gpt-4o';
    const agent = new Agent({ id: 'support', name: 'support', instructions: SYSTEM, model, tools });
    say((await agent.generate(PROMPT)).text);
  },
  async llamaindex_ts() {
    const { tool } = await import('llamaindex');
    const { openai } = await import('@llamaindex/openai');
    const { agent } = await import('@llamaindex/workflow');
    const tools = [
      tool({ name: 'get_order', description: 'order', parameters: order, execute: get_order }),
      tool({ name: 'get_weather', description: 'weather', parameters: weather, execute: get_weather }),
    ];
    say((await agent({ llm: openai({ model: 'gpt-4o' }), tools, systemPrompt: SYSTEM }).run(PROMPT)).data.result);
  },
  async adk_js() {
    const { LlmAgent, FunctionTool, InMemoryRunner } = await import('@google/adk');
    const tools = [
      new FunctionTool({ name: 'get_order', description: 'order', parameters: order, execute: get_order }),
      new FunctionTool({ name: 'get_weather', description: 'weather', parameters: weather, execute: get_weather }),
    ];
    const agent = new LlmAgent({ name: 'support', model: GEMINI, instruction: SYSTEM, tools });
    const runner = new InMemoryRunner({ agent, appName: 'app' });
    const session = await runner.sessionService.createSession({ appName: 'app', userId: 'u' });
    const newMessage = { role: 'user', parts: [{ text: PROMPT }] };
    for await (const event of runner.runAsync({ userId: 'u', sessionId: session.id, newMessage })) {
      if (event.errorMessage) throw new Error(event.errorMessage);
      for (const { text } of event.content?.parts ?? []) if (text) say(text);
    }
  },
  async genkit() {
    const { genkit } = await import('genkit');
    const { googleAI } = await import('@genkit-ai/google-genai');
    const ai = genkit({ plugins: [googleAI()] });
    const output = { outputSchema: z.string() };
    const tools = [
      ai.defineTool({ name: 'get_order', description: 'order', inputSchema: order, ...output }, get_order),
      ai.defineTool({ name: 'get_weather', description: 'weather', inputSchema: weather, ...output }, get_weather),
    ];
    const model = googleAI.model(GEMINI);
    say((await ai.generate({ model, system: SYSTEM, prompt: PROMPT, tools })).text);
    process.exit(0);
  },
  async claude_agent_js() {
    const { query, tool, createSdkMcpServer } = await import('@anthropic-ai/claude-agent-sdk');
    const made = (text) => ({ content: [{ type: 'text', text }] });
    const tools = [
      tool('get_order', 'order', order.shape, async (given) => made(await get_order(given))),
      tool('get_weather', 'weather', weather.shape, async (given) => made(await get_weather(given))),
    ];
    const options = {
      ...{ model: CLAUDE, systemPrompt: SYSTEM, mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools }) } },
      ...{
        allowedTools: ['mcp__shop__get_order', 'mcp__shop__get_weather'],
        tools: [],
        maxTurns: 6,
        settingSources: [],
      },
    };
    for await (const message of query({ prompt: PROMPT, options })) {
      if (message.type !== 'result') continue;
      say(message.result ?? message.errors);
      if (message.is_error) process.exitCode = 1;
    }
  },
};
await AGENTS[name]();
