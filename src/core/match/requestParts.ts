import { asString } from '../json/fields';
import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { ProtocolId } from '../model/interaction';
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

/** The keys of instructions outside the messages. */
const SYSTEM_KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction', 'preamble'];
const MESSAGE_KEYS = ['messages', 'input', 'contents', 'chat_history', 'message', 'prompt', 'texts'];
const TOOL_KEYS = ['tools', 'functions'];

/** Divides a request of any protocol, by the names that protocols have for its parts. */
export function requestParts(request: ComparableRequest): RequestParts {
  const { protocol, address, model, body } = request;
  const own = isRecord(body) ? bodyParts(body) : { params: { body }, messages: [], tools: [] };
  const named = (isRecord(body) ? asString(body.model) : undefined) ?? model;
  return {
    ...(protocol && { protocol }),
    ...(address === undefined ? {} : { address }),
    ...(named === undefined ? {} : { model: named }),
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
  const messageKeys = [...SYSTEM_KEYS, ...MESSAGE_KEYS].filter((key) => isMessageList(key, body[key]));
  const toolKeys = TOOL_KEYS.filter((key) => Array.isArray(body[key]));
  const otherParts = new Set([...messageKeys, ...toolKeys, ...(typeof body.model === 'string' ? ['model'] : [])]);
  // Bedrock has its tools among the members of `toolConfig`.
  const { tools: configured, ...config } = isRecord(body.toolConfig) ? body.toolConfig : {};
  const isConfigured = Array.isArray(configured);
  const rest = Object.entries({ ...body, ...(isConfigured ? { toolConfig: config } : {}) });
  return {
    params: Object.fromEntries(rest.filter(([key]) => !otherParts.has(key))),
    messages: messageKeys.flatMap((key) => messagesAt(key, body[key] ?? null)),
    tools: [
      ...toolKeys.flatMap((key) => toolsAt([key], body[key] ?? null)),
      ...(isConfigured ? toolsAt(['toolConfig', 'tools'], configured) : []),
    ],
  };
}

/** Keys under which an object is one message. */
const SINGLE_MESSAGE_KEYS = new Set([...SYSTEM_KEYS, 'contents']);

/** Texts and objects are messages; numbers, such as tokens to embed, are data. */
function isMessageList(key: string, value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string' || isRecord(item));
  return typeof value === 'string' || (SINGLE_MESSAGE_KEYS.has(key) && isRecord(value));
}

function messagesAt(key: string, value: Json): RequestPart[] {
  const role = SYSTEM_KEYS.includes(key) ? 'system' : 'user';
  if (!Array.isArray(value)) return [{ name: roleOf(value, role), value, path: [key] }];
  // The blocks of a system prompt are one message; every other list is one of messages.
  if (SYSTEM_KEYS.includes(key)) return [{ name: role, value, path: [key] }];
  return value.map((item, index) => ({ name: roleOf(item, role), value: item, path: [key, index] }));
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
