import { asCount, asList, asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import { copyWrittenNumbers } from '../../../json/writtenNumbers';
import type { Chunk } from '../../../model/http';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../../../model/message';
import type { Usage } from '../../../model/usage';
import { settledUsage } from '../../../wire/shared/usage';

/** Requests and responses of tapes that were recorded without HTTP, in Tapedeck's own model. */

/** A value of the model as JSON. */
export function chatToJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return value as Json;
  if (Array.isArray(value)) return withNumbersOf(value, value.map(chatToJson));
  if (!isRecord(value)) return null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return withNumbersOf(value, Object.fromEntries(members.map(([key, member]) => [key, chatToJson(member)])));
}

function withNumbersOf(original: object, copy: Json & object): Json {
  copyWrittenNumbers(original, copy);
  return copy;
}

/** Members of another shape count as absent. */
export function chatRequestFromJson(json: Json): ChatRequest {
  const { model, messages, tools, params, partial } = asRecord(json);
  return omitUndefined({
    model: asString(model),
    messages: asRecords(messages).map(readMessage),
    tools: asRecords(tools).map(readTool),
    params: asRecord(params),
    partial: partial === 'preview' ? ('preview' as const) : undefined,
  });
}

export function chatResponseFromJson(json: Json): ChatResponse {
  const { content, isJson, parts, toolCalls, model, usage, finishReason, error, endedEarly, chunks } = asRecord(json);
  return omitUndefined({
    content: asString(content) ?? null,
    isJson: isJson === true ? (true as const) : undefined,
    parts: readParts(parts),
    toolCalls: asRecords(toolCalls).map(readCall),
    model: asString(model),
    usage: isRecord(usage) ? readUsage(usage) : undefined,
    finishReason: asString(finishReason),
    error: asString(error),
    endedEarly: endedEarly === true ? (true as const) : undefined,
    chunks: Array.isArray(chunks) ? asRecords(chunks).map(readChunk) : undefined,
  });
}

function readMessage({ role, content, parts, toolCalls, toolCallId, isError, name }: JsonRecord): Message {
  return omitUndefined({
    role: asString(role) ?? 'unknown',
    content: asString(content) ?? null,
    parts: readParts(parts),
    toolCalls: asRecords(toolCalls).map(readCall),
    toolCallId: asString(toolCallId),
    isError: typeof isError === 'boolean' ? isError : undefined,
    name: asString(name),
  });
}

function readCall({ id, name, arguments: args, argumentsText }: JsonRecord): ToolCall {
  return omitUndefined({
    id: asString(id) ?? '',
    name: asString(name) ?? '',
    arguments: args ?? null,
    argumentsText: asString(argumentsText),
  });
}

function readTool({ name, description, schema, settings }: JsonRecord): ToolDefinition {
  return omitUndefined({
    name: asString(name) ?? '',
    description: asString(description),
    schema,
    settings: isRecord(settings) ? settings : undefined,
  });
}

function readParts(parts: Json | undefined): readonly Part[] | undefined {
  return Array.isArray(parts) ? asList(parts).map(readPart) : undefined;
}

function readPart(part: Json): Part {
  const record = asRecord(part);
  const text = asString(record.text);
  switch (record.type) {
    case 'text':
    case 'refusal':
      return text === undefined ? { type: 'unknown', raw: part } : { type: record.type, text };
    case 'reasoning': {
      const encrypted = record.encrypted === true ? true : undefined;
      return omitUndefined({ type: record.type, text: text ?? '', encrypted, signature: asString(record.signature) });
    }
    case 'image':
    case 'audio':
    case 'file': {
      const { mime, base64, url, name } = record;
      const media = { mime: asString(mime), base64: asString(base64), url: asString(url), name: asString(name) };
      return omitUndefined({ type: record.type, ...media });
    }
    case 'server_tool':
      return { type: record.type, name: asString(record.name) ?? '', payload: record.payload ?? null };
    case 'embeddings':
      return omitUndefined({
        type: record.type,
        count: asCount(record.count) ?? 0,
        dimensions: asCount(record.dimensions),
      });
    case 'unknown':
      return { type: record.type, raw: record.raw ?? null };
    default:
      return { type: 'unknown', raw: part };
  }
}

function readChunk({ data, event, delayMs, base64 }: JsonRecord): Chunk {
  return omitUndefined({
    data: asString(data) ?? '',
    base64: base64 === true ? (true as const) : undefined,
    event: asString(event),
    delayMs: typeof delayMs === 'number' ? delayMs : undefined,
  });
}

function readUsage(usage: JsonRecord): Usage {
  const count = (key: string): number => asCount(usage[key]) ?? 0;
  const read = omitUndefined({
    promptTokens: count('promptTokens'),
    completionTokens: count('completionTokens'),
    totalTokens: count('totalTokens'),
    cachedTokens: asCount(usage.cachedTokens),
    cacheWriteTokens: asCount(usage.cacheWriteTokens),
    cacheWrite1hTokens: asCount(usage.cacheWrite1hTokens),
    reasoningTokens: asCount(usage.reasoningTokens),
  });
  return settledUsage(read);
}
