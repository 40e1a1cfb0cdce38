import { asString } from '../json/fields';
import { isRecord, type Json, type JsonRecord } from '../json/json';
import { type JsonPath, valueAt } from '../json/jsonPath';
import type { ProtocolId } from '../model/interaction';
import { ALL_MEMBERS, withoutMembers } from '../wire/requestMembers';
import type { ComparableRequest } from './comparableRequest';

/** A request divided into the parts that users know it by. No part of the request is left out. */
export interface RequestParts {
  /** Not compared. */
  readonly protocol?: ProtocolId;
  readonly address?: string;
  readonly model?: string;
  /**
   * Everything else, by its name in the body. Parts of the address are prefixed with `?`: the query, and the model where the
   * body has one as well.
   */
  readonly params: JsonRecord;
  /** The same with those that are at their default, which are not compared. */
  readonly written?: JsonRecord;
  readonly messages: readonly RequestPart[];
  readonly tools: readonly RequestPart[];
}

/** A message or a tool. */
export interface RequestPart {
  /** The role of a message, the name of a tool. */
  readonly name: string;
  readonly value: Json;
  /** Its path in the body. */
  readonly path: JsonPath;
  /** The same in what masks leave of the body. */
  readonly place?: JsonPath;
}

/** Divides a request of any protocol, by the members in which protocols have its parts. */
export function requestParts(request: ComparableRequest): RequestParts {
  const { protocol, address, model, body } = request;
  const own = isRecord(body) ? bodyParts(body) : { params: { body }, messages: [], tools: [] };
  const named = (isRecord(body) ? asString(body.model) : undefined) ?? model;
  return {
    ...(protocol && { protocol }),
    address,
    model: named,
    ...own,
    params: { ...addressParams(request), ...own.params },
  };
}

/** The query, and the model in the address where the body has one as well. */
function addressParams({ model, query = {}, body }: ComparableRequest): JsonRecord {
  const isModelTwice = model !== undefined && isRecord(body) && body.model !== undefined;
  const params = isModelTwice ? { ...query, model } : query;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [`?${name}`, value]));
}

function bodyParts(body: JsonRecord): Pick<RequestParts, 'params' | 'messages' | 'tools'> {
  const system = ALL_MEMBERS.system.filter((path) => isSystemPrompt(valueAt(body, path)));
  const messages = ALL_MEMBERS.messages.filter((path) => isMessageList(valueAt(body, path)));
  const tools = ALL_MEMBERS.tools.filter((path) => Array.isArray(valueAt(body, path)));
  const model: readonly JsonPath[] = typeof body.model === 'string' ? [['model']] : [];
  return {
    params: withoutMembers(body, [...model, ...system, ...messages, ...tools]),
    messages: [
      ...system.map((path) => systemPart(path, valueAt(body, path) ?? null)),
      ...messages.flatMap((path) => messagesAt(path, valueAt(body, path) ?? null)),
    ],
    tools: tools.flatMap((path) => toolsAt(path, valueAt(body, path) ?? null)),
  };
}

function isSystemPrompt(value: Json | undefined): boolean {
  return isRecord(value) || isMessageList(value);
}

/** Texts and objects are messages; numbers, such as tokens to embed, are data. */
function isMessageList(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string' || isRecord(item));
  // A single message of Gemini's; what else is one object is a setting, such as the `prompt` of Responses.
  return typeof value === 'string' || (isRecord(value) && 'parts' in value);
}

/** The blocks of a system prompt are one message. */
function systemPart(path: JsonPath, value: Json): RequestPart {
  return { name: roleOf(value, 'system'), value, path };
}

function messagesAt(path: JsonPath, value: Json): RequestPart[] {
  if (!Array.isArray(value)) return [{ name: roleOf(value, 'user'), value, path }];
  return value.map((item, index) => ({ name: roleOf(item, 'user'), value: item, path: [...path, index] }));
}

function roleOf(value: Json, otherwise: string): string {
  if (!isRecord(value)) return otherwise;
  return asString(value.role) ?? asString(value.type) ?? otherwise;
}

function toolsAt(path: JsonPath, value: Json): RequestPart[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((tool, index) => toolParts(tool, [...path, index]));
}

/** Gemini has several functions in one tool; the other protocols have one. */
function toolParts(tool: Json, path: JsonPath): RequestPart[] {
  if (!isRecord(tool)) return [{ name: String(tool), value: tool, path }];
  const key = ['functionDeclarations', 'function_declarations'].find((name) => Array.isArray(tool[name]));
  const declared = key === undefined ? undefined : tool[key];
  if (key === undefined || !Array.isArray(declared)) return [{ name: toolName(tool), value: tool, path }];
  const parts = declared.map((value, index) => ({ name: toolName(value), value, path: [...path, key, index] }));
  const { [key]: _, ...others } = tool;
  return Object.keys(others).length === 0 ? parts : [...parts, { name: toolName(others), value: others, path }];
}

function toolName(tool: Json): string {
  if (!isRecord(tool)) return '';
  const inner = [tool.function, tool.toolSpec, tool.custom].find(isRecord);
  const name = asString(inner?.name) ?? asString(tool.name) ?? asString(tool.server_label) ?? asString(tool.type);
  return name ?? Object.keys(tool)[0] ?? '';
}
