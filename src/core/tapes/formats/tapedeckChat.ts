import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { countOf, listOf, present, recordOf, recordsOf, textOf } from '../../wire/fields';
import type { ChatRequest, ChatResponse, Chunk, Message, Part, ToolCall, ToolDefinition, Usage } from '../tape';

/** Requests and responses of tapes that were recorded without HTTP, in the words of our own model. */

/** A value of our model as JSON. */
export function modelJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return value as Json;
  if (Array.isArray(value)) return value.map(modelJson);
  if (!isRecord(value)) return null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, modelJson(member)]));
}

/** What is not of its shape counts as absent. */
export function readChatRequest(json: Json): ChatRequest {
  const { model, messages, tools, params, partial } = recordOf(json);
  return present({
    model: textOf(model),
    messages: recordsOf(messages).map(readMessage),
    tools: recordsOf(tools).map(readTool),
    params: recordOf(params),
    partial: partial === 'preview' ? ('preview' as const) : undefined,
  });
}

export function readChatResponse(json: Json): ChatResponse {
  const { content, parts, toolCalls, model, usage, finishReason, error, chunks } = recordOf(json);
  return present({
    content: textOf(content) ?? null,
    parts: readParts(parts),
    toolCalls: recordsOf(toolCalls).map(readCall),
    model: textOf(model),
    usage: isRecord(usage) ? readUsage(usage) : undefined,
    finishReason: textOf(finishReason),
    error: textOf(error),
    chunks: Array.isArray(chunks) ? recordsOf(chunks).map(readChunk) : undefined,
  });
}

function readMessage({ role, content, parts, toolCalls, toolCallId, isError, name }: JsonRecord): Message {
  return present({
    role: textOf(role) ?? 'unknown',
    content: textOf(content) ?? null,
    parts: readParts(parts),
    toolCalls: recordsOf(toolCalls).map(readCall),
    toolCallId: textOf(toolCallId),
    isError: typeof isError === 'boolean' ? isError : undefined,
    name: textOf(name),
  });
}

function readCall({ id, name, arguments: args, argumentsText }: JsonRecord): ToolCall {
  return present({
    id: textOf(id) ?? '',
    name: textOf(name) ?? '',
    arguments: args ?? null,
    argumentsText: textOf(argumentsText),
  });
}

function readTool({ name, description, schema, settings }: JsonRecord): ToolDefinition {
  return present({
    name: textOf(name) ?? '',
    description: textOf(description),
    schema,
    settings: isRecord(settings) ? settings : undefined,
  });
}

function readParts(parts: Json | undefined): readonly Part[] | undefined {
  return Array.isArray(parts) ? listOf(parts).map(readPart) : undefined;
}

function readPart(part: Json): Part {
  const record = recordOf(part);
  const text = textOf(record.text);
  switch (record.type) {
    case 'text':
    case 'refusal':
      return text === undefined ? { type: 'unknown', raw: part } : { type: record.type, text };
    case 'reasoning': {
      const encrypted = record.encrypted === true ? true : undefined;
      return present({ type: record.type, text: text ?? '', encrypted, signature: textOf(record.signature) });
    }
    case 'image':
    case 'audio':
    case 'file': {
      const { mime, base64, url, name } = record;
      const media = { mime: textOf(mime), base64: textOf(base64), url: textOf(url), name: textOf(name) };
      return present({ type: record.type, ...media });
    }
    case 'server_tool':
      return { type: record.type, name: textOf(record.name) ?? '', payload: record.payload ?? null };
    case 'embeddings':
      return present({ type: record.type, count: countOf(record.count) ?? 0, dimensions: countOf(record.dimensions) });
    case 'unknown':
      return { type: record.type, raw: record.raw ?? null };
    default:
      return { type: 'unknown', raw: part };
  }
}

function readChunk({ data, event, delayMs, base64 }: JsonRecord): Chunk {
  return present({
    data: textOf(data) ?? '',
    base64: base64 === true ? (true as const) : undefined,
    event: textOf(event),
    delayMs: typeof delayMs === 'number' ? delayMs : undefined,
  });
}

function readUsage(usage: JsonRecord): Usage {
  const count = (key: string): number => countOf(usage[key]) ?? 0;
  return present({
    promptTokens: count('promptTokens'),
    completionTokens: count('completionTokens'),
    totalTokens: count('totalTokens'),
    cachedTokens: countOf(usage.cachedTokens),
    cacheWriteTokens: countOf(usage.cacheWriteTokens),
    reasoningTokens: countOf(usage.reasoningTokens),
  });
}
