import { asRecord } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { valueAt } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { ProtocolId } from '../../model/interaction';
import type { ChatRequest, Message } from '../../model/message';
import type { JsonEdit } from './textEdits';

/** The member of a body with the model; Gemini's has a prefix before the name. */
export function modelEdits(body: Json, model: string): readonly JsonEdit[] {
  const written = asRecord(body).model;
  if (typeof written !== 'string') return [];
  return [{ path: ['model'], value: written.startsWith('models/') ? `models/${model}` : model }];
}

/** The members of a body that hold a system prompt, in all protocols. */
const SYSTEM_MEMBERS: readonly JsonPath[] = [
  ['system'],
  ['instructions'],
  ['systemInstruction'],
  ['system_instruction'],
  ['preamble'],
  ['request', 'systemInstruction'],
  ['request', 'system_instruction'],
];

/** The ways to write a system prompt: in the place of the one that there is, or else where the protocol has one. */
export function systemEdits(body: Json, api: ProtocolId | undefined, text: string): readonly JsonEdit[] {
  const sites = [...SYSTEM_MEMBERS, ...systemMessages(body)];
  const present = sites.flatMap((path): JsonEdit[] => {
    const value = valueAt(body, path);
    return value === undefined || value === null ? [] : [{ path, value: withText(value, text) }];
  });
  return [...present, ...addedSystem(asRecord(body), api, text)];
}

function systemMessages(body: Json): readonly JsonPath[] {
  return ['messages', 'input'].flatMap((member) => {
    const list = asRecord(body)[member];
    if (!Array.isArray(list)) return [];
    const at = list.findIndex((item) => isSystemRole(asRecord(item).role));
    return at === -1 ? [] : [[member, at, 'content'] as const];
  });
}

function isSystemRole(role: unknown): boolean {
  return role === 'system' || role === 'developer';
}

/** The members beside a list of messages in which protocols have their system prompt. */
const ADDED_SYSTEM: Readonly<Record<ProtocolId, (text: string) => JsonEdit>> = {
  'openai-responses': (text) => ({ path: ['instructions'], value: text }),
  'anthropic-messages': (text) => ({ path: ['system'], value: text }),
  'bedrock-converse': (text) => ({ path: ['system'], value: [{ text }] }),
  gemini: (text) => ({ path: ['systemInstruction'], value: { parts: [{ text }] } }),
  ollama: (text) => ({ path: ['system'], value: text }),
  cohere: (text) => ({ path: ['preamble'], value: text }),
  'gemini-interactions': (text) => ({ path: ['system_instruction'], value: text }),
};

const SYSTEM_AS_MESSAGE: ReadonlySet<ProtocolId> = new Set(['openai-chat', 'ollama', 'cohere']);

function addedSystem(body: JsonRecord, api: ProtocolId = '', text: string): readonly JsonEdit[] {
  if (SYSTEM_AS_MESSAGE.has(api) && Array.isArray(body.messages)) {
    const messages: Json = [{ role: 'system', content: text }, ...body.messages];
    return [{ path: ['messages'], value: messages }];
  }
  if (api === 'gemini-code-assist') {
    const request = { ...asRecord(body.request), systemInstruction: { parts: [{ text }] } };
    return [{ path: ['request'], value: request }];
  }
  const added = ADDED_SYSTEM[api]?.(text);
  return added === undefined ? [] : [withMember(body, added)];
}

/** The body with a member that it does not have yet. */
function withMember(body: JsonRecord, { path, value }: JsonEdit): JsonEdit {
  return { path: [], value: { ...body, [String(path[0])]: value } };
}

/** The ways to write a list of tools. Without a tool, there is no list, and nothing that chooses among its tools. */
export function toolsEdits(body: Json, api: ProtocolId | undefined, tools: readonly Json[]): readonly JsonEdit[] {
  const record = asRecord(body);
  if (tools.length === 0) return [{ path: [], value: withoutTools(record) }];
  const sites: readonly JsonPath[] = [['tools'], ['toolConfig', 'tools'], ['request', 'tools']];
  const [present] = sites.filter((path) => Array.isArray(valueAt(body, path)));
  if (present !== undefined) return [{ path: present, value: tools }];
  if (api === 'bedrock-converse') return [withMember(record, { path: ['toolConfig'], value: { tools } })];
  if (api === 'gemini-code-assist') return [{ path: ['request'], value: { ...asRecord(record.request), tools } }];
  return [withMember(record, { path: ['tools'], value: tools })];
}

const OF_TOOLS: ReadonlySet<string> = new Set([
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'toolConfig',
  'tool_config',
]);

function withoutTools(body: JsonRecord): Json {
  const members = Object.entries(body).filter(([name]) => !OF_TOOLS.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'request' && isRecord(value) ? withoutTools(value) : value]),
  );
}

const CALL_IDS: ReadonlySet<string> = new Set(['tool_call_id', 'call_id', 'tool_use_id', 'toolUseId', 'id']);
const RESULTS = ['content', 'output', 'response', 'result', 'outputs'] as const;

/** The ways to write the result of a call: in the records that name the call, then in all others with such a member. */
export function resultEdits(body: Json, call: string, text: string): readonly JsonEdit[] {
  const places = [...recordsIn(body, [])].flatMap(({ path, record }) => {
    const isOfCall = Object.entries(record).some(([name, value]) => CALL_IDS.has(name) && value === call);
    return RESULTS.filter((name) => record[name] !== undefined).map((name) => ({
      isOfCall,
      path: [...path, name],
      value: record[name] ?? null,
    }));
  });
  const ordered = [...places.filter(({ isOfCall }) => isOfCall), ...places.filter(({ isOfCall }) => !isOfCall)];
  return ordered.flatMap(({ path, value }) => resultValues(value, text).map((written) => ({ path, value: written })));
}

function* recordsIn(value: Json, path: JsonPath): Generator<{ readonly path: JsonPath; readonly record: JsonRecord }> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* recordsIn(item, [...path, index]);
  else if (isRecord(value)) {
    yield { path, record: value };
    for (const [name, member] of Object.entries(value)) yield* recordsIn(member, [...path, name]);
  }
}

/** The result in the form of the one that there is; functions that return objects keep to one. */
function resultValues(value: Json, text: string): readonly Json[] {
  if (typeof value === 'string') return [text];
  if (Array.isArray(value)) return [withText(value, text)];
  const json = parseJson(text);
  return isRecord(json) ? [json] : [{ result: text }, { output: text }];
}

/** Whether a result reads as this text. The order of an object does not count, and an object may wrap a text in a member. */
export function sameResult(content: string | null | undefined, text: string): boolean {
  if (content === text) return true;
  const read = parseJson(content ?? '');
  return (
    read !== undefined && [parseJson(text), { result: text }, { output: text }].some((one) => jsonEqual(one, read))
  );
}

/** A text in the form of another one: a string, a list of blocks, or an object with parts. */
function withText(value: Json, text: string): Json {
  if (Array.isArray(value))
    return [
      blockWith(
        value.map(asRecord).find((block) => 'text' in block),
        value,
        text,
      ),
    ];
  if (isRecord(value)) return { ...value, parts: [{ text }] };
  return text;
}

function blockWith(block: JsonRecord | undefined, list: readonly Json[], text: string): Json {
  if (block !== undefined) return { ...block, text };
  // Bedrock's blocks have no type, and may be JSON.
  return list.some((item) => 'json' in asRecord(item)) ? { text } : { type: 'text', text };
}

export function firstSystemMessage({ messages }: ChatRequest): Message | undefined {
  return messages.find(({ role }) => isSystemRole(role));
}

/** The rest of a request. A system prompt that is added comes first, or beside the messages. */
export function withoutFirstSystem({ messages, ...others }: ChatRequest): unknown {
  const at = messages.findIndex(({ role }) => isSystemRole(role));
  return compactJson({ ...others, messages: at === -1 ? messages : messages.toSpliced(at, 1) } as unknown as Json);
}
