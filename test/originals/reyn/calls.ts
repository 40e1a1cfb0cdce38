import type { Seeded } from '../seeded';

export interface CompletionCall {
  readonly kind: 'completion';
  readonly model: string;
  readonly messages: readonly Record<string, unknown>[];
  readonly tools?: readonly Record<string, unknown>[];
  readonly tool_choice?: string;
  readonly temperature?: number;
}

export interface EmbeddingCall {
  readonly kind: 'embedding';
  readonly model: string;
  readonly input: readonly string[];
}

export type ReynTestCall = CompletionCall | EmbeddingCall;

const TEXTS = [
  'Where is my order?',
  'Grüße ✓',
  '',
  'line\nbreak',
  '"quoted" \\',
  '😀 𝒜',
  'one\u2028two',
  'x'.repeat(250),
  'tab\there',
];
const MODELS = ['openai/gpt-4o-mini', 'openai/local', 'openai/gpt-4.1'];

function message(seeded: Seeded, role: string): Record<string, unknown> {
  const text = seeded.one(TEXTS);
  if (role === 'user' && seeded.chance(0.15))
    return {
      role,
      content: [
        { type: 'text', text },
        { type: 'text', text: 'more' },
      ],
    };
  return { role, content: text };
}

function tool(seeded: Seeded, name: string): Record<string, unknown> {
  const server = { type: 'string', ...(seeded.chance(0.5) && { enum: seeded.some(['fs', 'web', 'db']) }) };
  const properties = {
    q: { type: 'string' },
    limit: { type: 'number', default: 1.5 },
    ...(seeded.chance(0.3) && { server }),
  };
  return {
    type: 'function',
    function: { name, description: seeded.one(TEXTS), parameters: { type: 'object', properties } },
  };
}

export function generateCall(seeded: Seeded): ReynTestCall {
  if (seeded.chance(0.15))
    return { kind: 'embedding', model: 'openai/text-embedding-3-small', input: seeded.some(TEXTS.filter(Boolean), 1) };
  const roles = ['system', 'user', 'assistant', 'user'].slice(seeded.below(2), 2 + seeded.below(3));
  const tools = seeded.some(['search', 'lookup', 'größe'.replace('ö', 'oe')]).map((name) => tool(seeded, name));
  return {
    kind: 'completion',
    model: seeded.one(MODELS),
    messages: roles.map((role) => message(seeded, role)),
    ...(tools.length > 0 &&
      seeded.chance(0.6) && { tools, ...(seeded.chance(0.5) && { tool_choice: seeded.one(['auto', 'required']) }) }),
    ...(seeded.chance(0.3) && { temperature: seeded.one([0, 0.7]) }),
  };
}

function withOtherServers(one: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(one).replace(/"enum":\[[^\]]*\]/, '"enum":["elsewhere"]'));
}

/** The call after a change: what is in the key, and what is not. */
export function changedCall(seeded: Seeded, call: ReynTestCall): ReynTestCall {
  if (call.kind === 'embedding') return seeded.chance(0.5) ? call : { ...call, input: [...call.input, 'more'] };
  const [first = { role: 'user', content: '' }, ...rest] = call.messages;
  const changes: (() => CompletionCall)[] = [
    () => call,
    () => ({ ...call, temperature: 0.123 }),
    () => ({ ...call, messages: [{ ...first, content: 'something else' }, ...rest] }),
    () => ({ ...call, messages: [...call.messages, { role: 'user', content: 'and then?' }] }),
    () => ({ ...call, model: 'openai/another' }),
    () => ({ ...call, messages: [Object.fromEntries(Object.entries(first).reverse()), ...rest] }),
    () => ({ ...call, tools: [...(call.tools ?? []), tool(seeded, 'brew_tea')] }),
    () => ({ ...call, ...(call.tools && { tool_choice: 'none' }) }),
    () => ({ ...call, ...(call.tools && { tools: call.tools.map(withOtherServers) }) }),
    () => ({ ...call, ...(call.tools && { tools: call.tools.map(withOtherServers) }) }),
  ];
  return seeded.one(changes)();
}

/** What the upstream responds to a request, always the same to the same. */
export function upstreamResponse(url: string, body: string): unknown {
  const request = JSON.parse(body) as {
    model: string;
    input?: string[];
    messages?: { content: unknown }[];
    tools?: unknown[];
  };
  if (url.endsWith('/embeddings')) {
    const data = (request.input ?? []).map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [text.length, 0.5, -1e-7],
    }));
    return { object: 'list', model: request.model, data, usage: { prompt_tokens: 3, total_tokens: 3 } };
  }
  const last = JSON.stringify(request.messages?.at(-1)?.content ?? '').slice(0, 40);
  const isCalling = request.tools !== undefined && last.length % 2 === 0;
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"q": "é", "n": 1.0}' } }];
  const message = isCalling
    ? { role: 'assistant', content: null, tool_calls: calls }
    : { role: 'assistant', content: `${request.messages?.length} messages, the last: ${last} ✓` };
  const choice = { index: 0, message, finish_reason: isCalling ? 'tool_calls' : 'stop' };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.model,
    choices: [choice],
    usage,
  };
}
