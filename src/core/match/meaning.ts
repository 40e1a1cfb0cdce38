import { isRecord, type Json, type JsonRecord, jsonEqual } from '../json/json';
import type { RequestPart, RequestParts } from './requestParts';

/** Parameters at the value that they have where they are absent, on every API that has them. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  n: 1,
  stream: false,
  echo: false,
  logprobs: false,
  frequency_penalty: 0,
  presence_penalty: 0,
  tool_choice: 'auto',
  encoding_format: 'float',
  response_format: { type: 'text' },
};

/**
 * A request without the members that say nothing: those that are null or empty, and parameters at their default. An SDK's new
 * version may begin or cease to send them.
 */
export function withoutEmptyMembers(parts: RequestParts): RequestParts {
  const params = saying(parts.params, (name, value) => isEmpty(value) || isDefault(name, value));
  const messages = mapValues(parts.messages, (value) => saying(value, (_, member) => isEmpty(member)));
  const tools = mapValues(parts.tools, toolSaying);
  const isSame = params === parts.params && messages === parts.messages && tools === parts.tools;
  return isSame ? parts : { ...parts, params, messages, tools };
}

/** Most functions of a tool are in a member. What a schema says is left alone. */
function toolSaying(tool: JsonRecord): JsonRecord {
  const own = saying(tool, (_, member) => member === null);
  return isRecord(own.function) ? { ...own, function: saying(own.function, (_, member) => member === null) } : own;
}

function saying(record: JsonRecord, saysNothing: (name: string, value: Json) => boolean): JsonRecord {
  const names = Object.keys(record);
  if (!names.some((name) => saysNothing(name, record[name] ?? null))) return record;
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !saysNothing(name, value ?? null)));
}

function isDefault(name: string, value: Json): boolean {
  const otherwise = Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name] : undefined;
  return otherwise !== undefined && jsonEqual(value, otherwise);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function mapValues(parts: readonly RequestPart[], change: (value: JsonRecord) => JsonRecord): readonly RequestPart[] {
  const changed = parts.map((part) => {
    if (!isRecord(part.value)) return part;
    const value = change(part.value);
    return value === part.value ? part : { ...part, value };
  });
  return changed.every((part, index) => part === parts[index]) ? parts : changed;
}

/** The members that name a call of a tool. */
const CALL_ID_KEYS = ['tool_call_id', 'tool_use_id', 'toolUseId', 'call_id'];
/** The types of objects whose `id` is that of a call. */
const CALL_TYPES: readonly Json[] = ['function', 'tool_use', 'custom'];
/** The members of a message in which calls and their results stand. */
const CALL_HOLDERS = ['tool_calls', 'content', 'parts', 'toolUse', 'toolResult'];

/** The messages with the ids of tool calls counted in their order: some clients make up new ones for each request. */
export function withCountedCalls(messages: readonly RequestPart[]): readonly RequestPart[] {
  const ids = new Map<Json, string>();
  const counted = (id: Json): string => {
    const known = ids.get(id) ?? `call ${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const renamed = (value: Json): Json => {
    if (Array.isArray(value)) return mapSame(value, renamed);
    if (!isRecord(value)) return value;
    let changed: Record<string, Json> | undefined;
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      const isId = CALL_ID_KEYS.includes(name) || (name === 'id' && CALL_TYPES.includes(value.type ?? null));
      const now =
        isId && typeof member === 'string' ? counted(member) : CALL_HOLDERS.includes(name) ? renamed(member) : member;
      if (now !== member) changed = { ...(changed ?? value), [name]: now };
    }
    return changed ?? value;
  };
  return mapValues(messages, (value) => renamed(value) as JsonRecord);
}

function mapSame(items: readonly Json[], change: (item: Json) => Json): Json {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? (items as Json) : changed;
}
