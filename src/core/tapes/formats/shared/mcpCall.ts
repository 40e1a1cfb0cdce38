import { asList, asRecord, asString, isBlank, omitUndefined } from '../../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../../json/json';
import type { McpExchange } from '../../../model/mcp';
import type { ChatRequest, ChatResponse, Part } from '../../../model/message';
import { mediaFromBase64, textContent, textParts, unknownPart } from '../../../wire/shared/messages';
import { readToolCall } from '../../../wire/shared/toolCalls';
import type { InteractionContent } from '../../lazyTape';

/**
 * Reads a request of the Model Context Protocol (a JSON-RPC message) with its reply: `tools/call` is a tool call, any other
 * method is only named.
 */
export function readMcpCall(request: JsonRecord, reply: JsonRecord | undefined): InteractionContent {
  const id = compactJson(request.id ?? null);
  const method = asString(request.method) ?? '';
  if (method === 'tools/call') {
    const response = reply && { response: toolResponse(reply) };
    return { kind: 'tool', id, request: toolRequest(request, id), ...response };
  }
  const error = reply && rpcError(reply);
  return { kind: 'http', id, summary: error === undefined ? method : `${method}: ${error}` };
}

function toolRequest({ params }: JsonRecord, id: string): ChatRequest {
  const { name, arguments: args } = asRecord(params);
  const call = readToolCall(id, name, args);
  return { messages: [{ role: 'assistant', content: null, toolCalls: [call] }], tools: [], params: {} };
}

function toolResponse(reply: JsonRecord): ChatResponse {
  const error = rpcError(reply);
  if (error !== undefined) return { content: null, toolCalls: [], error };
  const result = asRecord(reply.result);
  const parts = asList(result.content).flatMap(contentPart);
  const structured: Part[] =
    parts.length === 0 && !isBlank(result.structuredContent)
      ? textParts(compactJson(result.structuredContent ?? null))
      : [];
  const whole = textContent([...parts, ...structured]);
  return omitUndefined({
    ...whole,
    toolCalls: [],
    error: result.isError === true ? (whole.content ?? 'the tool failed') : undefined,
  });
}

function rpcError({ error }: JsonRecord): string | undefined {
  if (isBlank(error)) return undefined;
  const { code, message } = asRecord(error);
  return [asString(message) ?? compactJson(error ?? null), code === undefined ? '' : `(${compactJson(code)})`]
    .join(' ')
    .trim();
}

function contentPart(item: Json): Part[] {
  const content = asRecord(item);
  if (content.type === 'text') return textParts(content.text);
  if ((content.type === 'image' || content.type === 'audio') && typeof content.data === 'string') {
    return [{ ...mediaFromBase64(asString(content.mimeType), content.data), type: content.type }];
  }
  const resource = asRecord(content.resource);
  if (typeof resource.text === 'string') return textParts(resource.text);
  return [unknownPart(item)];
}

/** An exchange with an MCP server as the content of an interaction. */
export function mcpContent(mcp: McpExchange): InteractionContent {
  const { message, steps } = mcp;
  const id = compactJson(message.id ?? null);
  const reply = steps.find(({ from, message: step }) => from === 'server' && isReplyTo(step, id))?.message;
  const { kind: _, ...read } = readMcpCall(message, reply);
  return { ...read, kind: 'mcp', mcp };
}

function isReplyTo(message: JsonRecord, id: string): boolean {
  return message.method === undefined && compactJson(message.id ?? null) === id;
}
