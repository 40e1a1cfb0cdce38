import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import { parseExactJson } from '../../json/readJson';
import type { Timing } from '../../model/interaction';
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
import { reasoningParts, textContent, textParts, unknownPart } from '../shared/messages';
import { readToolCall } from '../shared/toolCalls';
import { milliseconds, usageFromCounts } from '../shared/usage';

export function readConverseRequest(body: JsonRecord): ChatRequest {
  const others = omitKeys(body, 'modelId', 'messages', 'system', 'toolConfig', 'inferenceConfig');
  const toolConfig = asRecord(body.toolConfig);
  return omitUndefined({
    model: asString(body.modelId),
    messages: [...system(body.system), ...asList(body.messages).flatMap(readMessage)],
    tools: asRecords(toolConfig.tools)
      .filter((tool) => !isCachePoint(tool))
      .map(readTool),
    params: { ...others, ...omitKeys(toolConfig, 'tools'), ...asRecord(body.inferenceConfig) },
  });
}

function system(blocks: Json | undefined): Message[] {
  if (isBlank(blocks)) return [];
  return [{ role: 'system', ...textContent(blocksOf(blocks).flatMap(converseParts)), toolCalls: [] }];
}

function blocksOf(content: Json | undefined): readonly Json[] {
  return typeof content === 'string' ? [{ text: content }] : asList(content);
}

/** Reads a message. Its tool results become messages of their own. */
function readMessage(message: Json): Message[] {
  if (!isRecord(message)) return [{ role: 'unknown', ...textContent([unknownPart(message)]), toolCalls: [] }];
  const blocks = blocksOf(message.content);
  const others = blocks.filter((block) => !isResult(block) && !isCachePoint(block));
  const results = blocks.filter(isResult).map(readResult);
  if (others.length === 0 && results.length > 0) return results;
  const role = asString(message.role) ?? 'unknown';
  return [
    ...results,
    { role, ...textContent(others.flatMap(converseParts)), toolCalls: others.flatMap(converseCalls) },
  ];
}

function isResult(block: Json): block is JsonRecord {
  return isRecord(block) && isRecord(block.toolResult);
}

function readResult(block: JsonRecord): Message {
  const { toolUseId, content, status } = asRecord(block.toolResult);
  return omitUndefined({
    role: 'tool',
    ...textContent(blocksOf(content).flatMap((part) => nestedOutput(part) ?? converseParts(part))),
    toolCalls: [],
    toolCallId: asString(toolUseId) ?? '',
    isError: status === 'error' || undefined,
  });
}

function readTool(tool: JsonRecord): ToolDefinition {
  const spec = asRecord(tool.toolSpec);
  if (!isRecord(tool.toolSpec))
    return { name: asString(asRecord(tool.systemTool).name) ?? Object.keys(tool)[0] ?? '', settings: tool };
  return omitUndefined({
    name: asString(spec.name) ?? '',
    description: asString(spec.description),
    schema: asRecord(spec.inputSchema).json,
  });
}

export function readConverseResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const blocks = asList(asRecord(asRecord(response.output).message).content);
  const trace = isBlank(response.trace) ? [] : [unknownPart({ trace: response.trace ?? null })];
  return omitUndefined({
    ...textContent([...blocks.flatMap(converseParts), ...trace]),
    toolCalls: blocks.flatMap(converseCalls),
    usage: readUsage(asRecord(response.usage)),
    finishReason: asString(response.stopReason),
    error: responseError(response),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  const cached = usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount;
  const cacheWrite = usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount;
  return usageFromCounts({
    prompt: usage.inputTokens,
    completion: usage.outputTokens,
    total: usage.totalTokens,
    cached,
    cacheWrite,
    cacheWrite1h: asRecords(usage.cacheDetails).find(({ ttl }) => ttl === '1h')?.inputTokens,
    besidePrompt: [cached, cacheWrite],
  });
}

/** Whether a block only marks the end of the cached prefix. */
function isCachePoint(block: Json): boolean {
  return isRecord(block) && 'cachePoint' in block && Object.keys(block).length === 1;
}

/** The parts of a block, whose one member is named after its type. */
function converseParts(block: Json): Part[] {
  if (!isRecord(block)) return typeof block === 'string' ? textParts(block) : [unknownPart(block)];
  if (isBlank(block)) return [];
  if (typeof block.text === 'string') return textParts(block.text);
  if (isRecord(block.toolUse) && isServerTool(block.toolUse)) return serverTool(block.toolUse);
  if (isRecord(block.toolResult)) return serverResult(block.toolResult);
  if (isCachePoint(block) || isRecord(block.toolUse)) return [];
  if (isRecord(block.reasoningContent)) return reasoning(block.reasoningContent);
  if (isRecord(block.citationsContent)) return cited(block, block.citationsContent);
  return media(block) ?? [unknownPart(block)];
}

function converseCalls(block: Json): ToolCall[] {
  const call = asRecord(block).toolUse;
  return isRecord(call) && !isServerTool(call) ? [readToolCall(call.toolUseId, call.name, call.input)] : [];
}

/** A call of Nova's own tools, whose result is in the same message. */
function isServerTool(call: JsonRecord): boolean {
  return call.type === 'server_tool_use';
}

function serverTool(call: JsonRecord): Part[] {
  const input = typeof call.input === 'string' ? (parseExactJson(call.input) ?? call.input) : call.input;
  return [{ type: 'server_tool', name: asString(call.name) ?? '', payload: { ...call, input: input ?? null } }];
}

/** The JSON in a tool result, as text. */
function nestedOutput(block: Json): Part[] | undefined {
  const { json } = asRecord(block);
  return json === undefined ? undefined : textParts(compactJson(json));
}

function reasoning({ reasoningText, redactedContent }: JsonRecord): Part[] {
  const { text, signature } = asRecord(reasoningText);
  return [
    ...reasoningParts(asString(text) ?? '', asString(signature)),
    ...reasoningParts('', asString(redactedContent)),
  ];
}

function cited(block: JsonRecord, { content }: JsonRecord): Part[] {
  const text = asRecords(content)
    .flatMap((part) => asString(part.text) ?? [])
    .join('');
  return [...textParts(text), unknownPart(block)];
}

function serverResult(result: JsonRecord): Part[] {
  const name = asString(result.type)?.replace(/_result$/, '') ?? 'tool';
  return [{ type: 'server_tool', name, payload: result }];
}

const MEDIA = { image: 'image', audio: 'audio', video: 'file', document: 'file' } as const;
const DOCUMENT_TYPES: Readonly<Record<string, string>> = { txt: 'text/plain', md: 'text/markdown', html: 'text/html' };

function media(block: JsonRecord): MediaPart[] | undefined {
  for (const [member, type] of Object.entries(MEDIA)) {
    const { format, name, source } = asRecord(block[member]);
    const { bytes, s3Location } = asRecord(source);
    const base64 = asString(bytes);
    const url = asString(asRecord(s3Location).uri);
    if (base64 !== undefined || url !== undefined) {
      return [omitUndefined({ type, mime: mimeOf(member, asString(format)), base64, url, name: asString(name) })];
    }
  }
  return undefined;
}

function mimeOf(member: string, format: string | undefined): string | undefined {
  if (format === undefined) return undefined;
  if (member !== 'document') return `${member}/${format}`;
  return Object.hasOwn(DOCUMENT_TYPES, format) ? DOCUMENT_TYPES[format] : `application/${format}`;
}

export function converseTiming(response: Json): Timing {
  return omitUndefined({ durationMs: milliseconds(asRecord(asRecord(response).metrics).latencyMs) });
}
