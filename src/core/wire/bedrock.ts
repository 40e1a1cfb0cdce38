import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, ToolDefinition, Usage } from '../tapes/tape';
import { converseCalls, converseParts, isMarker, nestedOutput } from './bedrockBlocks';
import { joinConverseEvents } from './bedrockStream';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { said, unknownPart } from './parts';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/**
 * Amazon Bedrock's Converse and ConverseStream; Nova speaks it in `invoke` as well. What else `invoke` carries is the
 * protocol of the model, such as Anthropic's.
 */
export const bedrockConverse: WireProtocol = {
  api: 'bedrock-converse',
  kind: 'llm',
  path: /\/model\/.+\/converse(-stream)?$/,
  maybePath: /\/model\/.+\/invoke(-with-response-stream)?$/,
  isRequest,
  isResponse: (body) =>
    isRecord(body) && (isRecord(recordOf(body.output).message) || ('stopReason' in body && 'metrics' in body)),
  isEvent: ({ event, json }) => EVENTS.has(event ?? '') || Object.keys(json).some((key) => EVENTS.has(key)),
  readRequest,
  readResponse,
  join: joinConverseEvents,
};

const EVENTS = new Set(['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop']);

/** Content is a list of blocks without a type. */
function isRequest(body: Json): boolean {
  if (!isRecord(body) || !Array.isArray(body.messages)) return false;
  if ('inferenceConfig' in body || 'toolConfig' in body || 'schemaVersion' in body) return true;
  return recordsOf(body.messages).some(({ content }) => recordsOf(content).some((block) => !('type' in block)));
}

function readRequest(body: JsonRecord): ChatRequest {
  const others = without(body, 'modelId', 'messages', 'system', 'toolConfig', 'inferenceConfig');
  const toolConfig = recordOf(body.toolConfig);
  return present({
    model: textOf(body.modelId),
    messages: [...system(body.system), ...listOf(body.messages).flatMap(readMessage)],
    tools: recordsOf(toolConfig.tools)
      .filter((tool) => !isMarker(tool))
      .map(readTool),
    params: { ...others, ...without(toolConfig, 'tools'), ...recordOf(body.inferenceConfig) },
  });
}

function system(blocks: Json | undefined): Message[] {
  if (isBlank(blocks)) return [];
  return [{ role: 'system', ...said(blocksOf(blocks).flatMap(converseParts)), toolCalls: [] }];
}

function blocksOf(content: Json | undefined): readonly Json[] {
  return typeof content === 'string' ? [{ text: content }] : listOf(content);
}

/** A message may hold results of tools, which are messages of their own here. */
function readMessage(message: Json): Message[] {
  if (!isRecord(message)) return [{ role: 'unknown', ...said([unknownPart(message)]), toolCalls: [] }];
  const blocks = blocksOf(message.content);
  const others = blocks.filter((block) => !isResult(block) && !isMarker(block));
  const results = blocks.filter(isResult).map(readResult);
  if (others.length === 0 && results.length > 0) return results;
  const role = textOf(message.role) ?? 'unknown';
  return [...results, { role, ...said(others.flatMap(converseParts)), toolCalls: others.flatMap(converseCalls) }];
}

function isResult(block: Json): block is JsonRecord {
  return isRecord(block) && isRecord(block.toolResult);
}

function readResult(block: JsonRecord): Message {
  const { toolUseId, content, status } = recordOf(block.toolResult);
  return present({
    role: 'tool',
    ...said(blocksOf(content).flatMap((part) => nestedOutput(part) ?? converseParts(part))),
    toolCalls: [],
    toolCallId: textOf(toolUseId) ?? '',
    isError: status === 'error' || undefined,
  });
}

function readTool(tool: JsonRecord): ToolDefinition {
  const spec = recordOf(tool.toolSpec);
  if (!isRecord(tool.toolSpec))
    return { name: textOf(recordOf(tool.systemTool).name) ?? Object.keys(tool)[0] ?? '', settings: tool };
  return present({
    name: textOf(spec.name) ?? '',
    description: textOf(spec.description),
    schema: recordOf(spec.inputSchema).json,
  });
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const blocks = listOf(recordOf(recordOf(answer.output).message).content);
  const trace = isBlank(answer.trace) ? [] : [unknownPart({ trace: answer.trace ?? null })];
  return present({
    ...said([...blocks.flatMap(converseParts), ...trace]),
    toolCalls: blocks.flatMap(converseCalls),
    usage: readUsage(recordOf(answer.usage)),
    finishReason: textOf(answer.stopReason),
    error: errorOf(answer),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  const cached = usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount;
  const cacheWrite = usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount;
  return usageOf({
    prompt: usage.inputTokens,
    completion: usage.outputTokens,
    total: usage.totalTokens,
    cached,
    cacheWrite,
    apart: [cached, cacheWrite],
  });
}
