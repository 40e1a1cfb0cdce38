import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the upstream got it. */
export interface SeenRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A model over HTTP, in Chat Completions, that looks up an order, refunds it, and says what it was told. */
export class RefundModel {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    this.seen.push({ url: request.url ?? '', body });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(body)));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}

interface SentMessage {
  readonly role: string;
  readonly content: string;
}

const CALLS = [
  { id: 'call_lookup', name: 'lookup_order', arguments: '{"order":7}' },
  { id: 'call_refund', name: 'refund_order', arguments: '{"order":7}' },
];

function answerTo({ model, messages }: { readonly model: string; readonly messages: readonly SentMessage[] }): object {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const call = CALLS[results.length];
  const message =
    call === undefined
      ? { role: 'assistant', content: `${model} was told: ${results.join('; ')}` }
      : { role: 'assistant', content: null, tool_calls: [toolCall(call)] };
  const choices = [{ index: 0, message, finish_reason: call === undefined ? 'stop' : 'tool_calls' }];
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return { id: 'chatcmpl-1', object: 'chat.completion', model, choices, usage };
}

function toolCall({ id, name, arguments: args }: (typeof CALLS)[number]): object {
  return { id, type: 'function', function: { name, arguments: args } };
}

const NODE_AGENT = `
const tools = { lookup_order: 'order 7 was lost', refund_order: 'refunded 20 euros' };
const messages = [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: process.env.TAPEDECK_PROMPT }];
for (;;) {
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({
      model: process.env.TAPEDECK_MODEL ?? 'gpt-4o',
      messages,
      tools: Object.keys(tools).map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  const { message } = answer.choices[0];
  messages.push(message);
  if (!message.tool_calls) { console.log(message.content); break; }
  for (const call of message.tool_calls)
    messages.push({ role: 'tool', tool_call_id: call.id, content: tools[call.function.name] });
}
`;

const PYTHON_AGENT = `
import json, os, urllib.request

TOOLS = {"lookup_order": "order 7 was lost", "refund_order": "refunded 20 euros"}
messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": os.environ["TAPEDECK_PROMPT"]}]
while True:
    body = {
        "model": "gpt-4o",
        "messages": messages,
        "tools": [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in TOOLS],
    }
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    message = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
    messages.append(message)
    if not message.get("tool_calls"):
        print(message["content"])
        break
    for call in message["tool_calls"]:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": TOOLS[call["function"]["name"]]})
`;

export type AgentKind = 'built-in' | 'node' | 'python';

/** The program of an agent of the user's own: its file, its text and how it is started. */
export const PROGRAMS: Readonly<Record<Exclude<AgentKind, 'built-in'>, readonly [file: string, text: string]>> = {
  node: ['agent.mjs', NODE_AGENT],
  python: ['agent.py', PYTHON_AGENT],
};

/** A case in which an agent looks up an order and refunds it. */
export function refundCase(kind: AgentKind, tape: string, baseUrl: string, replay = ''): string {
  const provider = `[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${baseUrl}"\nmodel = "gpt-4o"\n`;
  const head = 'name = "refund"\nprompt = "Refund order 7."\n';
  if (kind !== 'built-in') {
    const command = kind === 'node' ? '["node", "agent.mjs"]' : '["python3", "agent.py"]';
    return `${head}[agent]\ncommand = ${command}\n[llm]\ntape = "${tape}"\n${replay}${provider}`;
  }
  const tools = [
    '[[tools]]\nname = "lookup_order"\ndescription = "Finds an order."\nresult = "order 7 was lost"\n',
    '[[tools]]\nname = "refund_order"\ndescription = "Refunds it."\nresult = "refunded 20 euros"\n',
  ];
  return `${head}${tools.join('')}[agent]\nsystem = "Be kind."\n[llm]\ntape = "${tape}"\n${replay}${provider}`;
}
