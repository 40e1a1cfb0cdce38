import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Upstream {
  /** The base URL of an API like OpenAI's. */
  readonly url: string;
  /** The models that were asked, in order. */
  readonly asked: readonly string[];
  /** Lets no request be answered until the returned function is called. */
  hold(): () => void;
  close(): void;
}

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Answers as a shop's agent would: first by a call of its tool, then with its result; a model with "vague" in its name without dates. */
export async function startShopUpstream(): Promise<Upstream> {
  const asked: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Asked;
    asked.push(body.model);
    await held;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(body)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { url: `http://127.0.0.1:${port}/v1`, asked, hold, close: () => server.close() };
}

function answerTo({ model, messages, tools = [] }: Asked): object {
  const [tool] = tools;
  const isFirst = messages.every(({ role }) => role !== 'tool');
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: tool?.function.name, arguments: '{"order":"4711"}' },
  };
  const content = model.includes('vague')
    ? 'It will be there soon.'
    : 'Order 4711 arrives on Thursday, and can be returned until 12 December.';
  const message =
    isFirst && tool !== undefined
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: isFirst ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 120, completion_tokens: 18, total_tokens: 138 },
  };
}
