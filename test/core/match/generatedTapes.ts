import type { Json } from '../../../src/core/json/json';
import type { Interaction } from '../../../src/core/model/interaction';

interface GeneratedTape {
  readonly name: string;
  readonly interactions: readonly Interaction[];
}

const TOPICS = [
  'order 17 and its refund',
  'the weather in Bergen',
  'a failing build on the main branch',
  'tea and biscuits',
];

/** A conversation of a few turns on each topic, in each of four protocols. */
export function generatedTapes(): readonly GeneratedTape[] {
  return [
    tape('chat', '/v1/chat/completions', (turns) => ({
      model: 'gpt-4o',
      temperature: 0,
      stream: true,
      messages: [{ role: 'system', content: 'You are a careful assistant who answers briefly.' }, ...plain(turns)],
      tools: [chatTool('get_order', 'Looks an order up.'), chatTool('send_mail', 'Sends a mail to the customer.')],
    })),
    tape('responses', '/v1/responses', (turns) => ({
      model: 'o4-mini',
      max_output_tokens: 900,
      store: false,
      instructions: 'You are a careful assistant who answers briefly.',
      input: plain(turns),
      tools: [{ type: 'function', name: 'get_order', description: 'Looks an order up.', parameters: schema() }],
    })),
    tape('messages', '/v1/messages', (turns) => ({
      model: 'claude-sonnet-4',
      max_tokens: 1024,
      system: [{ type: 'text', text: 'You are a careful assistant who answers briefly.' }],
      messages: turns.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] })),
      tools: [{ name: 'get_order', description: 'Looks an order up.', input_schema: schema() }],
    })),
    tape('gemini', '/v1beta/models/gemini-2.5-flash:generateContent', (turns) => ({
      labels: 'shop',
      systemInstruction: { parts: [{ text: 'You are a careful assistant who answers briefly.' }] },
      contents: turns.map(({ role, text }) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text }] })),
    })),
  ];
}

interface Turn {
  readonly role: string;
  readonly text: string;
}

function plain(turns: readonly Turn[]): Json[] {
  return turns.map(({ role, text }) => ({ role, content: text }));
}

function tape(name: string, path: string, bodyOf: (turns: readonly Turn[]) => Json): GeneratedTape {
  const conversations = TOPICS.flatMap((topic) =>
    [1, 3, 5].map((length) => Array.from({ length }, (_, at): Turn => turn(topic, at))),
  );
  const interactions = conversations.map(
    (turns, index): Interaction => ({
      index,
      kind: 'llm',
      http: {
        method: 'POST',
        url: `https://api.example.com${path}`,
        requestHeaders: [],
        requestBody: { type: 'text', text: JSON.stringify(bodyOf(turns)) },
        status: 200,
        responseHeaders: [],
        responseBody: { type: 'none' },
      },
      source: { start: 0, end: 0 },
    }),
  );
  return { name, interactions };
}

function turn(topic: string, at: number): Turn {
  return at % 2 === 0
    ? { role: 'user', text: `Question number ${at} of mine concerns ${topic}, please look into that for me.` }
    : { role: 'assistant', text: `Having looked into ${topic} as well as I could, here is answer ${at} of several.` };
}

function chatTool(name: string, description: string): Json {
  return { type: 'function', function: { name, description, parameters: schema() } };
}

function schema(): Json {
  return { type: 'object', properties: { id: { type: 'string' }, urgent: { type: 'boolean' } }, required: ['id'] };
}
