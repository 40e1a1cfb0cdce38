import { asRecord } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { valueAt } from '../../json/jsonPath';
import { parsePointer } from '../../json/jsonPointer';
import { parseJson } from '../../json/readJson';
import type { ChatRequest, Message } from '../../model/message';
import type { Protocol, RequestMembers } from '../protocol';
import { withoutMembers } from '../requestMembers';
import type { JsonEdit } from './textEdits';

/** The member of a body with the model; Gemini's has a prefix before the name. */
export function modelEdits(body: Json, model: string): readonly JsonEdit[] {
  const written = asRecord(body).model;
  if (typeof written !== 'string') return [];
  return [{ path: ['model'], value: written.startsWith('models/') ? `models/${model}` : model }];
}

/** The ways to write a system prompt: in the place of the one that there is, or else where the protocol adds one. */
export function systemEdits(body: Json, { members }: Protocol, text: string): readonly JsonEdit[] {
  const sites = [...(members.system ?? []), ...members.messages.flatMap((path) => systemMessageIn(body, path))];
  const present = sites.flatMap((path): JsonEdit[] => {
    const value = valueAt(body, path);
    return value === undefined || value === null ? [] : [{ path, value: withText(value, text) }];
  });
  return [...present, ...addedSystem(asRecord(body), members, text)];
}

function systemMessageIn(body: Json, path: JsonPath): readonly JsonPath[] {
  const list = valueAt(body, path);
  if (!Array.isArray(list)) return [];
  const at = list.findIndex((item) => isSystemRole(asRecord(item).role));
  return at === -1 ? [] : [[...path, at, 'content']];
}

function isSystemRole(role: unknown): boolean {
  return role === 'system' || role === 'developer';
}

function addedSystem(body: JsonRecord, members: RequestMembers, text: string): readonly JsonEdit[] {
  const { hasSystemMessages, newSystem } = members;
  const [path] = members.messages;
  const messages = path && valueAt(body, path);
  if (hasSystemMessages && path && Array.isArray(messages))
    return [{ path, value: [{ role: 'system', content: text }, ...messages] }];
  return newSystem === undefined ? [] : [withMember(body, newSystem.path, newSystem.value?.(text) ?? text)];
}

/** Adds a member, in the object that is to hold it, as far as there is one. */
function withMember(body: JsonRecord, path: JsonPath, value: Json): JsonEdit {
  const depth = path.findLastIndex((_, at) => isRecord(valueAt(body, path.slice(0, at))));
  const [name = '', ...inside] = path.slice(depth);
  const holder = path.slice(0, depth);
  const member = inside.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
  return { path: holder, value: { ...asRecord(valueAt(body, holder)), [name]: member } };
}

/** The ways to write a list of tools. Without a tool, there is no list, and nothing that chooses among its tools. */
export function toolsEdits(body: Json, { members }: Protocol, tools: readonly Json[]): readonly JsonEdit[] {
  const { tools: lists = [], toolSettings = [] } = members;
  const record = asRecord(body);
  if (tools.length === 0) return [{ path: [], value: withoutMembers(record, [...lists, ...toolSettings]) }];
  const path = lists.find((list) => Array.isArray(valueAt(body, list)));
  if (path !== undefined) return [{ path, value: tools }];
  return lists.slice(0, 1).map((first) => withMember(record, first, tools));
}

/** The ways to write the result of a call: in the records that name the call, then in all others with such a member. */
export function resultEdits(
  body: Json,
  { members, callIds = [] }: Protocol,
  call: string,
  text: string,
): readonly JsonEdit[] {
  const idNames = new Set(callIds.map((pointer) => parsePointer(pointer).at(-1)));
  const places = [...recordsIn(body, [])].flatMap(({ path, record }) => {
    const isOfCall = Object.entries(record).some(([name, value]) => idNames.has(name) && value === call);
    return (members.toolResults ?? [])
      .filter((name) => record[name] !== undefined)
      .map((name) => ({
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
