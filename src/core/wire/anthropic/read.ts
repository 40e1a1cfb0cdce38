import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type {
  ChatRequest,
  ChatResponse,
  MediaPart,
  Message,
  Part,
  ToolCall,
  ToolDefinition,
} from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { mediaFromBase64, mediaFromUrl, reasoningParts, textContent, textParts, unknownPart } from '../shared/messages';
import { otherSettings } from '../shared/openaiTools';
import { reportedCost } from '../shared/reportedCost';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

export function readAnthropicRequest(body: JsonRecord): ChatRequest {
  return omitUndefined({
    model: asString(body.model),
    messages: [...system(body.system), ...asList(body.messages).flatMap(readMessage)],
    tools: asRecords(body.tools).map(readTool),
    params: omitKeys(body, 'model', 'system', 'messages', 'tools'),
  });
}

function system(content: Json | undefined): Message[] {
  return isBlank(content)
    ? []
    : [{ role: 'system', ...textContent(blocksOf(content).flatMap(blockParts)), toolCalls: [] }];
}

/** Reads a message. Its tool results become messages of their own. */
function readMessage(message: Json): Message[] {
  if (!isRecord(message)) return [{ role: 'unknown', ...textContent([unknownPart(message)]), toolCalls: [] }];
  const blocks = blocksOf(message.content);
  const others = blocks.filter((block) => !isResult(block));
  const results = blocks.filter(isResult).map(readResult);
  if (others.length === 0 && results.length > 0) return results;
  const role = asString(message.role) ?? 'unknown';
  return [...results, { role, ...textContent(others.flatMap(blockParts)), toolCalls: others.flatMap(blockCalls) }];
}

function isResult(block: Json): block is JsonRecord {
  return isRecord(block) && block.type === 'tool_result';
}

function readResult(block: JsonRecord): Message {
  return omitUndefined({
    role: 'tool',
    ...textContent(blocksOf(block.content).flatMap(blockParts)),
    toolCalls: [],
    toolCallId: asString(block.tool_use_id) ?? '',
    isError: block.is_error === true || undefined,
  });
}

function readTool(tool: JsonRecord): ToolDefinition {
  return omitUndefined({
    name: asString(tool.name) ?? asString(tool.mcp_server_name) ?? asString(tool.type) ?? '',
    description: asString(tool.description),
    schema: tool.input_schema,
    settings: otherSettings(omitKeys(tool, 'name', 'description', 'input_schema')),
  });
}

export function readAnthropicResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const blocks = blocksOf(response.content);
  return omitUndefined({
    ...textContent(blocks.flatMap(blockParts)),
    toolCalls: blocks.flatMap(blockCalls),
    model: asString(response.model),
    usage: readUsage(asRecord(response.usage)),
    reportedCost: reportedCost(asRecord(response.usage)),
    finishReason: asString(response.stop_reason),
    error: responseError(response),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWrite } = usage;
  return usageFromCounts({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    cached,
    cacheWrite,
    cacheWrite1h: asRecord(usage.cache_creation).ephemeral_1h_input_tokens,
    besidePrompt: [cached, cacheWrite],
  });
}

/** The blocks of content, which may be a string. */
export function blocksOf(content: Json | undefined): readonly Json[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** The parts of a block; none for a tool call. */
function blockParts(block: Json): Part[] {
  if (typeof block === 'string') return textParts(block);
  if (!isRecord(block)) return [unknownPart(block)];
  return knownBlock(block) ?? otherBlock(block);
}

function blockCalls(block: Json): ToolCall[] {
  return isRecord(block) && block.type === 'tool_use' ? [readToolCall(block.id, block.name, block.input)] : [];
}

/** Undefined for a block of an unknown type, or one without the members of its type. */
function knownBlock(block: JsonRecord): Part[] | undefined {
  const { type, text } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? [...textParts(text), ...citations(block)] : undefined;
    case 'thinking':
      return reasoningParts(asString(block.thinking) ?? '', asString(block.signature));
    case 'redacted_thinking':
      return reasoningParts('', asString(block.data));
    case 'tool_use':
      return [];
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [{ type: 'server_tool', name: asString(block.name) ?? type, payload: block }];
    case 'image':
      return sourceParts('image', block);
    case 'document':
      return sourceParts('file', block);
    default:
      return undefined;
  }
}

/** Reads results of the provider's own tools, such as `web_search_tool_result`. */
function otherBlock(block: JsonRecord): Part[] {
  const type = asString(block.type) ?? '';
  return type.endsWith('_tool_result')
    ? [{ type: 'server_tool', name: type.slice(0, -'_tool_result'.length), payload: block }]
    : [unknownPart(block)];
}

function citations({ citations: list }: JsonRecord): Part[] {
  return isBlank(list) ? [] : [unknownPart({ citations: list ?? [] })];
}

function sourceParts(type: MediaPart['type'], block: JsonRecord): Part[] | undefined {
  const source = asRecord(block.source);
  const { data, url, content, media_type: mime } = source;
  const name = asString(block.title);
  if (source.type === 'text') return textParts(data);
  if (source.type === 'content') return asList(content).flatMap(blockParts);
  if (typeof url === 'string') return [mediaFromUrl(type, url, name)];
  // A file that was uploaded earlier is named by its id.
  if (typeof source.file_id === 'string') return [{ type, name: name ?? source.file_id }];
  return typeof data === 'string' ? [{ ...mediaFromBase64(asString(mime), data, name), type }] : undefined;
}
