// The requests of every protocol as its SDKs send them, and how an explanation names their parts. Written against the APIs, not with
// the code under test.

/**
 * What a request says, whatever its protocol.
 * @typedef {{ by: 'user' | 'model', text: string }} Turn
 * @typedef {{ model: string, system: string, turns: Turn[], temperature: number, tools: Record<string, string>, extra: Record<string, unknown> }} Said
 */

/**
 * @typedef {object} Endpoint
 * @property {string} protocol
 * @property {(said: Said) => string} called below the base URL of the proxy
 * @property {(said: Said) => string} recorded the URL on the tape
 * @property {(said: Said) => Record<string, unknown>} body
 * @property {(turn: number, turns: number) => string} turn how a turn is named
 * @property {string} [system] how the instructions are named; absent where there are none
 * @property {string} [temperature] how this parameter is named
 * @property {string} [description] how the description of a tool is named, after the tool; absent where there are no tools
 * @property {string} model
 * @property {boolean} [fixedTurns] turns cannot be added or removed
 */

const role = (/** @type {Turn} */ { by }, names = ['user', 'assistant']) => names[by === 'user' ? 0 : 1];
const chatTurns = (/** @type {Said} */ { turns }) => turns.map((turn) => ({ role: role(turn), content: turn.text }));
const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const functionTools = (/** @type {Said} */ { tools }) =>
  Object.entries(tools).map(([name, description]) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
const openaiChat = (/** @type {Said} */ said) => ({
  model: said.model,
  temperature: said.temperature,
  messages: [{ role: 'system', content: said.system }, ...chatTurns(said)],
  tools: functionTools(said),
  ...said.extra,
});
const claudeTools = (/** @type {Said} */ { tools }) =>
  Object.entries(tools).map(([name, description]) => ({ name, description, input_schema: schema }));
const claude = (/** @type {Said} */ said) => ({
  model: said.model,
  max_tokens: 256,
  temperature: said.temperature,
  system: said.system,
  messages: chatTurns(said),
  tools: claudeTools(said),
  ...said.extra,
});
const geminiBody = (/** @type {Said} */ said) => ({
  systemInstruction: { parts: [{ text: said.system }], role: 'user' },
  contents: said.turns.map((turn) => ({ role: role(turn, ['user', 'model']), parts: [{ text: turn.text }] })),
  generationConfig: { temperature: said.temperature },
  tools: [
    {
      functionDeclarations: Object.entries(said.tools).map(([name, description]) => ({
        name,
        description,
        parameters: schema,
      })),
    },
  ],
});
const converse = (/** @type {Said} */ said) => ({
  system: [{ text: said.system }],
  messages: said.turns.map((turn) => ({ role: role(turn), content: [{ text: turn.text }] })),
  inferenceConfig: { temperature: said.temperature, maxTokens: 256 },
  toolConfig: {
    tools: Object.entries(said.tools).map(([name, description]) => ({
      toolSpec: { name, description, inputSchema: { json: schema } },
    })),
  },
});
const numbered = (/** @type {number} */ before) => (/** @type {number} */ turn) => `message ${turn + 1 + before}`;
const at = (/** @type {string} */ path) => () => path;
const chatNames = {
  turn: numbered(1),
  system: 'message 1',
  temperature: 'temperature',
  description: '/function/description',
};

/** @type {(protocol: string, api: string, path: string, url: string) => Endpoint} */
const likeOpenai = (protocol, api, path, url) => ({
  protocol,
  called: at(`/${api}${path}`),
  recorded: at(url),
  body: openaiChat,
  ...chatNames,
  model: 'model',
});

const GEMINI = 'https://generativelanguage.googleapis.com';
const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com';
const geminiAt = (/** @type {string} */ call) => ({
  called: (/** @type {Said} */ { model }) => `/gemini/v1beta/models/${model}:${call}`,
  recorded: (/** @type {Said} */ { model }) => `${GEMINI}/v1beta/models/${model}:${call}`,
  body: geminiBody,
  turn: numbered(0),
  system: '`systemInstruction`',
  temperature: '/generationConfig/temperature',
  description: '/description',
  model: 'model',
});
const bedrockAt = (/** @type {string} */ call) => ({
  called: (/** @type {Said} */ { model }) => `/bedrock/model/${model}/${call}`,
  recorded: (/** @type {Said} */ { model }) => `${BEDROCK}/model/${model}/${call}`,
  model: 'model',
});

/** @type {readonly Endpoint[]} */
export const ENDPOINTS = [
  likeOpenai('OpenAI chat', 'openai', '/chat/completions', 'https://api.openai.com/v1/chat/completions'),
  {
    protocol: 'OpenAI responses',
    called: at('/openai/responses'),
    recorded: at('https://api.openai.com/v1/responses'),
    body: (said) => ({
      model: said.model,
      temperature: said.temperature,
      instructions: said.system,
      input: chatTurns(said),
      tools: Object.entries(said.tools).map(([name, description]) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
      })),
      ...said.extra,
    }),
    turn: numbered(0),
    system: '`instructions`',
    temperature: 'temperature',
    description: '/description',
    model: 'model',
  },
  {
    protocol: 'OpenAI embeddings',
    called: at('/openai/embeddings'),
    recorded: at('https://api.openai.com/v1/embeddings'),
    body: ({ model, turns, extra }) => ({
      model,
      input: turns.map(({ text }) => text),
      encoding_format: 'base64',
      ...extra,
    }),
    turn: numbered(0),
    model: 'model',
  },
  {
    protocol: 'Anthropic messages',
    called: at('/anthropic/v1/messages'),
    recorded: at('https://api.anthropic.com/v1/messages'),
    body: claude,
    turn: numbered(0),
    system: '`system`',
    temperature: 'temperature',
    description: '/description',
    model: 'model',
  },
  {
    protocol: 'Anthropic count_tokens',
    called: at('/anthropic/v1/messages/count_tokens'),
    recorded: at('https://api.anthropic.com/v1/messages/count_tokens'),
    body: (said) => ({
      model: said.model,
      system: said.system,
      messages: chatTurns(said),
      tools: claudeTools(said),
    }),
    turn: numbered(0),
    system: '`system`',
    description: '/description',
    model: 'model',
  },
  {
    protocol: 'Anthropic batches',
    called: at('/anthropic/v1/messages/batches'),
    recorded: at('https://api.anthropic.com/v1/messages/batches'),
    body: (said) => ({ requests: [{ custom_id: 'first', params: claude({ ...said, extra: {} }) }] }),
    turn: (turn) => `/requests/0/params/messages/${turn}/content`,
    system: '/requests/0/params/system',
    temperature: '/requests/0/params/temperature',
    model: '/requests/0/params/model',
    fixedTurns: true,
  },
  { protocol: 'Gemini', ...geminiAt('generateContent') },
  { protocol: 'Gemini, streamed', ...geminiAt('streamGenerateContent?alt=sse') },
  {
    protocol: 'Bedrock converse',
    ...bedrockAt('converse'),
    body: converse,
    turn: numbered(0),
    system: '`system`',
    temperature: '/inferenceConfig/temperature',
    description: '/toolSpec/description',
  },
  {
    protocol: 'Bedrock invoke',
    ...bedrockAt('invoke'),
    body: (said) => {
      const { model: _, ...body } = claude(said);
      return { anthropic_version: 'bedrock-2023-05-31', ...body };
    },
    turn: numbered(0),
    system: '`system`',
    temperature: 'temperature',
    description: '/description',
  },
  {
    protocol: 'Cohere v1',
    called: at('/cohere/v1/chat'),
    recorded: at('https://api.cohere.com/v1/chat'),
    body: (said) => ({
      model: said.model,
      temperature: said.temperature,
      preamble: said.system,
      chat_history: said.turns
        .slice(0, -1)
        .map((turn) => ({ role: role(turn, ['USER', 'CHATBOT']), message: turn.text })),
      message: said.turns.at(-1)?.text,
      stream: false,
    }),
    turn: (turn, turns) => (turn === turns - 1 ? '`message`' : `message ${turn + 1}`),
    system: '`preamble`',
    temperature: 'temperature',
    model: 'model',
    fixedTurns: true,
  },
  likeOpenai('Cohere v2', 'cohere', '/v2/chat', 'https://api.cohere.com/v2/chat'),
  {
    protocol: 'Ollama',
    called: at('/ollama/api/chat'),
    recorded: at('http://127.0.0.1:11434/api/chat'),
    body: (said) => {
      const { temperature, ...body } = openaiChat(said);
      return { ...body, options: { temperature }, stream: false };
    },
    ...chatNames,
    temperature: '/options/temperature',
    model: 'model',
  },
  likeOpenai('Mistral', 'mistral', '/v1/chat/completions', 'https://api.mistral.ai/v1/chat/completions'),
  {
    protocol: 'Azure',
    called: ({ model }) => `/azure/openai/deployments/${model}/chat/completions?api-version=2024-10-21`,
    recorded: ({ model }) =>
      `https://mine.openai.azure.com/openai/deployments/${model}/chat/completions?api-version=2024-10-21`,
    body: (said) => {
      const { model: _, ...body } = openaiChat(said);
      return body;
    },
    ...chatNames,
    model: 'model',
  },
];
