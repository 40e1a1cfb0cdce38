import { isRecord, type Json } from '../../../src/core/json/json';
import type { Random } from '../../harness/random.mjs';

/**
 * Known changes made to recorded requests, and what an explanation has to say of them. Written against the protocols, and
 * not with the code under test: where messages, texts and tools stand in a body is looked up here once more.
 */

export type Body = Record<string, Json>;

export interface Seeded {
  readonly body: Body;
  /** What the explanation has to name, and nothing else; sorted. */
  readonly expected: readonly string[];
}

interface Change {
  readonly body: Body;
  readonly says: string;
  /** Changes of one kind may not meet: what they say depends on each other. */
  readonly about: string;
}

type Mutation = (body: Body, random: Random) => Change | undefined;

/** One or two changes of a body; undefined where it has nothing that could be changed so. */
export function seedDrift(body: Body, random: Random): Seeded | undefined {
  const first = mutate(body, random, []);
  if (first === undefined) return undefined;
  const second = random(2) === 0 ? undefined : mutate(first.body, random, [first.about]);
  const changes = second === undefined ? [first] : [first, second];
  return { body: changes.at(-1)?.body ?? body, expected: changes.map(({ says }) => says).sort() };
}

function mutate(body: Body, random: Random, taken: readonly string[]): Change | undefined {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const change = MUTATIONS[random(MUTATIONS.length)]?.(structuredClone(body), random);
    if (change !== undefined && !taken.includes(change.about)) return change;
  }
  return undefined;
}

const LISTS = ['messages', 'input', 'contents'];
const SAID = [
  ...LISTS,
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
  'toolConfig',
  'functions',
  'model',
  'prompt',
];

function listOf(body: Body): { key: string; items: Json[] } | undefined {
  const key = LISTS.find((name) => Array.isArray(body[name]));
  const items = key === undefined ? undefined : body[key];
  return key !== undefined && Array.isArray(items) && items.every((item) => isRecord(item) || typeof item === 'string')
    ? { key, items: items as Json[] }
    : undefined;
}

/** The objects whose string at a key is what a message says. */
function texts(message: Json): { holder: Record<string, Json>; key: string }[] {
  if (!isRecord(message)) return [];
  const own = ['content', 'text', 'output']
    .filter((key) => typeof message[key] === 'string')
    .map((key) => ({ holder: message, key }));
  const inner = [message.content, message.parts].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...own, ...inner.flatMap(texts)].filter(({ holder, key }) => /\w{3,} \w{3,}/.test(String(holder[key]))) as {
    holder: Record<string, Json>;
    key: string;
  }[];
}

/** How often a message stands in the list: of repeated ones nobody can say which was changed. */
const occurrences = (items: readonly Json[], item: Json): number =>
  items.filter((other) => JSON.stringify(other) === JSON.stringify(item)).length;

const model: Mutation = (body) =>
  typeof body.model === 'string'
    ? { body: { ...body, model: `${body.model}-2099` }, says: 'model', about: 'model' }
    : undefined;

const newParameter: Mutation = (body, random) => {
  const name = ['seed', 'top_p', 'presence_penalty', 'user'][random(4)] ?? 'seed';
  return name in body ? undefined : { body: { ...body, [name]: 424242 }, says: `parameter /${name}`, about: name };
};

const changedParameter: Mutation = (body, random) => {
  const names = Object.keys(body).filter(
    (key) => !SAID.includes(key) && ['number', 'boolean', 'string'].includes(typeof body[key]),
  );
  const name = names[random(names.length)];
  if (name === undefined) return undefined;
  const value = body[name];
  const other = typeof value === 'number' ? value + 0.125 : typeof value === 'boolean' ? !value : `${value}x`;
  return { body: { ...body, [name]: other }, says: `parameter /${name}`, about: name };
};

/** Parameters with such values may be left out without changing what is asked for. */
const SAYS_NOTHING = [
  ...['null', 'false', 'true', '""', '[]', '{}', '0', '1', '"auto"', '"float"'],
  ...['0.3', '0.75', '["text"]', '"disabled"', '"5m"', '"CONTEXTUAL"'],
];

const removedParameter: Mutation = (body, random) => {
  const names = Object.keys(body).filter(
    (key) => !SAID.includes(key) && !isRecord(body[key]) && !SAYS_NOTHING.includes(JSON.stringify(body[key])),
  );
  const name = names[random(names.length)];
  if (name === undefined) return undefined;
  const { [name]: _, ...rest } = body;
  return { body: rest, says: `parameter /${name}`, about: name };
};

const editedMessage: Mutation = (body, random) => {
  const list = listOf(body);
  const at = random(list?.items.length ?? 0);
  const message = list?.items[at];
  const place = message === undefined ? undefined : texts(message)[0];
  if (list === undefined || message === undefined || place === undefined || occurrences(list.items, message) > 1)
    return undefined;
  const words = String(place.holder[place.key]).split(' ');
  words[random(words.length)] = 'zzyzx';
  place.holder[place.key] = words.join(' ');
  return { body, says: `message ${at} edited`, about: 'messages' };
};

const addedMessage: Mutation = (body, random) => {
  const list = listOf(body);
  if (list === undefined || list.items.length === 0) return undefined;
  const at = random(list.items.length + 1);
  const text = 'Xylophones quietly jump over seventeen velvet quarks.';
  const added: Json = list.key === 'contents' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };
  list.items.splice(at, 0, added);
  return { body, says: `message ${at} added`, about: 'messages' };
};

const removedMessage: Mutation = (body, random) => {
  const list = listOf(body);
  const at = random(list?.items.length ?? 0);
  const message = list?.items[at];
  if (list === undefined || message === undefined || list.items.length < 2 || occurrences(list.items, message) > 1)
    return undefined;
  list.items.splice(at, 1);
  return { body, says: `message ${at} removed`, about: 'messages' };
};

/** Tools as Chat Completions, Responses and Messages have them. */
function toolsOf(body: Body): Record<string, Json>[] {
  const tools = Array.isArray(body.tools) ? body.tools : [];
  return tools.every((tool) => isRecord(tool) && nameOf(tool) !== undefined) ? (tools as Record<string, Json>[]) : [];
}

const inner = (tool: Record<string, Json>): Record<string, Json> => (isRecord(tool.function) ? tool.function : tool);
const nameOf = (tool: Record<string, Json>): string | undefined => {
  const { name } = inner(tool);
  return typeof name === 'string' ? name : undefined;
};

const removedTool: Mutation = (body, random) => {
  const tools = toolsOf(body);
  const at = random(tools.length);
  const tool = tools[at];
  if (tool === undefined || tools.length < 2) return undefined;
  return {
    body: { ...body, tools: tools.filter((other) => other !== tool) },
    says: `tool ${nameOf(tool)} removed`,
    about: 'tools',
  };
};

const addedTool: Mutation = (body) => {
  const tools = toolsOf(body);
  const [first] = tools;
  if (first === undefined) return undefined;
  const definition = { name: 'brew_tea', description: 'Brews tea.' };
  const tool: Json = isRecord(first.function) ? { type: 'function', function: definition } : { ...definition };
  return { body: { ...body, tools: [...tools, tool] }, says: 'tool brew_tea added', about: 'tools' };
};

const describedTool: Mutation = (body, random) => {
  const tools = toolsOf(body);
  const tool = tools[random(tools.length)];
  if (tool === undefined || typeof inner(tool).description !== 'string') return undefined;
  inner(tool).description = `${String(inner(tool).description)} Really.`;
  const prefix = isRecord(tool.function) ? '/function' : '';
  return { body, says: `tool ${nameOf(tool)} ${prefix}/description`, about: 'tools' };
};

const changedSchema: Mutation = (body, random) => {
  const tools = toolsOf(body);
  const tool = tools[random(tools.length)];
  if (tool === undefined) return undefined;
  const key = ['parameters', 'input_schema'].find((name) => isRecord(inner(tool)[name]));
  const schema = key === undefined ? undefined : inner(tool)[key];
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return /^\w+$/.test(name) && isRecord(property) && typeof property.type === 'string';
  });
  const name = names[random(names.length)] ?? '';
  const property = properties[name];
  if (!isRecord(property)) return undefined;
  (property as Record<string, Json>).type = property.type === 'boolean' ? 'integer' : 'boolean';
  const prefix = isRecord(tool.function) ? '/function' : '';
  return { body, says: `tool ${nameOf(tool)} ${prefix}/${key}/properties/${name}/type`, about: 'tools' };
};

const MUTATIONS: readonly Mutation[] = [
  model,
  newParameter,
  changedParameter,
  removedParameter,
  editedMessage,
  editedMessage,
  editedMessage,
  addedMessage,
  removedMessage,
  removedTool,
  addedTool,
  describedTool,
  changedSchema,
];
