import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, ToolDefinition, Usage } from '../tapes/tape';
import { blockCalls, blockParts, blocksOf } from './anthropicBlocks';
import { joinMessageEvents } from './anthropicStream';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { settingsOf } from './openaiTools';
import { said, unknownPart } from './parts';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/** Anthropic's Messages: at Anthropic, on Vertex (`rawPredict`), on Bedrock (`invoke`), and at gateways. */
export const anthropicMessages: WireProtocol = {
  api: 'anthropic-messages',
  kind: 'llm',
  path: /\/v1\/messages\/?$|\/publishers\/anthropic\/models\/[^/]+:(stream)?rawpredict$/i,
  maybePath: /(?<!\/threads\/[^/]+)\/messages\/?$|\/model\/.+\/invoke(-with-response-stream)?$|:(stream)?rawpredict$/i,
  isRequest,
  isResponse: (body) =>
    isRecord(body) && Array.isArray(body.content) && (body.type === 'message' || 'stop_reason' in body),
  isEvent: ({ json }) => EVENTS.has(textOf(json.type) ?? ''),
  readRequest,
  readResponse,
  join: joinMessageEvents,
};

const EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

function isRequest(body: Json): boolean {
  if (!isRecord(body) || !Array.isArray(body.messages)) return false;
  if ('anthropic_version' in body || 'stop_sequences' in body || 'thinking' in body) return true;
  return 'max_tokens' in body && ('system' in body || recordsOf(body.tools).some((tool) => 'input_schema' in tool));
}

function readRequest(body: JsonRecord): ChatRequest {
  return present({
    model: textOf(body.model),
    messages: [...system(body.system), ...listOf(body.messages).flatMap(readMessage)],
    tools: recordsOf(body.tools).map(readTool),
    params: without(body, 'model', 'system', 'messages', 'tools'),
  });
}

function system(content: Json | undefined): Message[] {
  return isBlank(content) ? [] : [{ role: 'system', ...said(blocksOf(content).flatMap(blockParts)), toolCalls: [] }];
}

/** A message may hold results of tools, which are messages of their own here. */
function readMessage(message: Json): Message[] {
  if (!isRecord(message)) return [{ role: 'unknown', ...said([unknownPart(message)]), toolCalls: [] }];
  const blocks = blocksOf(message.content);
  const others = blocks.filter((block) => !isResult(block));
  const results = blocks.filter(isResult).map(readResult);
  if (others.length === 0 && results.length > 0) return results;
  const role = textOf(message.role) ?? 'unknown';
  return [...results, { role, ...said(others.flatMap(blockParts)), toolCalls: others.flatMap(blockCalls) }];
}

function isResult(block: Json): block is JsonRecord {
  return isRecord(block) && block.type === 'tool_result';
}

function readResult(block: JsonRecord): Message {
  return present({
    role: 'tool',
    ...said(blocksOf(block.content).flatMap(blockParts)),
    toolCalls: [],
    toolCallId: textOf(block.tool_use_id) ?? '',
    isError: block.is_error === true || undefined,
  });
}

function readTool(tool: JsonRecord): ToolDefinition {
  return present({
    name: textOf(tool.name) ?? textOf(tool.mcp_server_name) ?? textOf(tool.type) ?? '',
    description: textOf(tool.description),
    schema: tool.input_schema,
    settings: settingsOf(without(tool, 'name', 'description', 'input_schema')),
  });
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const blocks = blocksOf(answer.content);
  return present({
    ...said(blocks.flatMap(blockParts)),
    toolCalls: blocks.flatMap(blockCalls),
    model: textOf(answer.model),
    usage: readUsage(recordOf(answer.usage)),
    finishReason: textOf(answer.stop_reason),
    error: errorOf(answer),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWrite } = usage;
  return usageOf({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    cached,
    cacheWrite,
    apart: [cached, cacheWrite],
  });
}
