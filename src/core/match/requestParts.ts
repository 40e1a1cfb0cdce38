import { asString } from '../json/fields';
import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { ComparableRequest } from './comparableRequest';

/** A request taken apart into what people call its parts. Together they are all of it. */
export interface RequestParts {
  readonly address?: string;
  readonly model?: string;
  /**
   * Everything that is none of the others, by its name in the body; of the address with a `?` before it: its query, and
   * its model where the body names one as well.
   */
  readonly params: JsonRecord;
  readonly messages: readonly RequestPart[];
  readonly tools: readonly RequestPart[];
}

/** A message or a tool. */
export interface RequestPart {
  /** The role of a message, the name of a tool. */
  readonly name: string;
  readonly value: Json;
  /** Where it stands in the body. */
  readonly path: JsonPath;
}

/** Instructions that stand beside the messages. */
const SYSTEM_KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction', 'preamble'];
const MESSAGE_KEYS = ['messages', 'input', 'contents', 'chat_history', 'message', 'prompt', 'texts'];
const TOOL_KEYS = ['tools', 'functions'];

/** Takes a request apart, of whatever protocol: by the names that protocols have for these things. */
export function requestParts({ address, model, query, body }: ComparableRequest): RequestParts {
  const named = isRecord(body) ? (asString(body.model) ?? model) : model;
  const beside = model === undefined || !isRecord(body) || body.model === undefined ? query : { ...query, model };
  const asked = Object.fromEntries(Object.entries(beside ?? {}).map(([name, value]) => [`?${name}`, value]));
  const located = address === undefined ? {} : { address };
  if (!isRecord(body))
    return {
      ...located,
      ...(named === undefined ? {} : { model: named }),
      params: { ...asked, body },
      messages: [],
      tools: [],
    };
  const said = [...SYSTEM_KEYS, ...MESSAGE_KEYS].filter((key) => isMessageList(key, body[key]));
  const toolKeys = TOOL_KEYS.filter((key) => Array.isArray(body[key]));
  const elsewhere = new Set([...said, ...toolKeys, ...(typeof body.model === 'string' ? ['model'] : [])]);
  const { tools: configured, ...config } = isRecord(body.toolConfig) ? body.toolConfig : {};
  const isConfigured = Array.isArray(configured);
  const rest = Object.entries({ ...body, ...(isConfigured ? { toolConfig: config } : {}) }).filter(
    ([key]) => !elsewhere.has(key),
  );
  return {
    ...located,
    ...(named === undefined ? {} : { model: named }),
    params: { ...asked, ...Object.fromEntries(rest) },
    messages: said.flatMap((key) => messagesAt(key, body[key] ?? null)),
    tools: [
      ...toolKeys.flatMap((key) => toolsAt([key], body[key] ?? null)),
      ...(isConfigured ? toolsAt(['toolConfig', 'tools'], configured) : []),
    ],
  };
}

/** Objects that are one message, and not the settings of something else. */
const SINGLE_MESSAGE_KEYS = new Set([...SYSTEM_KEYS, 'contents']);

/** Texts and objects are said; numbers, such as tokens to embed, are data. */
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

/** Gemini has many functions in one tool; everybody else has one. */
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
