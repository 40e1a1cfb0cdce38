import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { textContent, textParts, unknownPart } from '../shared/messages';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

/** Whether a body is a request of version 1: one message, with the earlier conversation beside it. */
export function isCohereV1Request(body: JsonRecord): boolean {
  return typeof body.message === 'string' && !('messages' in body);
}

export function isCohereV1Response(body: JsonRecord): boolean {
  return typeof body.text === 'string' && ('generation_id' in body || 'chat_history' in body || 'response_id' in body);
}

const ROLES = new Map([
  ['user', 'user'],
  ['chatbot', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
]);

export function readCohereV1Request(body: JsonRecord): ChatRequest {
  const { preamble, chat_history: history, message, tool_results: results } = body;
  return omitUndefined({
    model: asString(body.model),
    messages: [
      ...(isBlank(preamble) ? [] : [{ role: 'system', ...textContent(textParts(preamble)), toolCalls: [] }]),
      ...asList(history).flatMap(readTurn),
      ...(isBlank(message) ? [] : [{ role: 'user', ...textContent(textParts(message)), toolCalls: [] }]),
      ...asRecords(results).map(readResult),
    ],
    tools: asRecords(body.tools).map(readTool),
    params: omitKeys(body, 'model', 'preamble', 'chat_history', 'message', 'tools', 'tool_results'),
  });
}

function readTurn(turn: Json): Message[] {
  if (!isRecord(turn)) return [{ role: 'unknown', ...textContent([unknownPart(turn)]), toolCalls: [] }];
  const results = asRecords(turn.tool_results).map(readResult);
  if (results.length > 0) return results;
  const role = asString(turn.role)?.toLowerCase() ?? 'unknown';
  return [
    { role: ROLES.get(role) ?? role, ...textContent(textParts(turn.message)), toolCalls: readCalls(turn.tool_calls) },
  ];
}

/** Reads a tool result, which repeats its call and has no id. */
function readResult({ call, outputs }: JsonRecord): Message {
  const content = compactJson(outputs ?? null);
  return omitUndefined({ role: 'tool', content, toolCalls: [], toolCallId: '', name: asString(asRecord(call).name) });
}

function readCalls(calls: Json | undefined): ToolCall[] {
  return asRecords(calls).map(({ name, parameters }) => readToolCall('', name, parameters));
}

function readTool(tool: JsonRecord): ToolDefinition {
  return omitUndefined({
    name: asString(tool.name) ?? '',
    description: asString(tool.description),
    schema: tool.parameter_definitions,
  });
}

export function readCohereV1Response(response: JsonRecord): ChatResponse {
  return omitUndefined({
    ...textContent([...textParts(response.text), ...sources(response)]),
    toolCalls: readCalls(response.tool_calls),
    usage: readCohereUsage(asRecord(response.meta)),
    finishReason: asString(response.finish_reason),
    error: responseError(response),
  });
}

function sources(response: JsonRecord): Part[] {
  const members = ['citations', 'documents', 'search_results'].filter((key) => !isBlank(response[key]));
  return members.map((key) => unknownPart({ [key]: response[key] ?? null }));
}

/** Reads the tokens that the model processed, or else those billed. */
export function readCohereUsage(usage: JsonRecord): Usage | undefined {
  const tokens = asRecord(isBlank(usage.tokens) ? usage.billed_units : usage.tokens);
  return usageFromCounts({
    prompt: tokens.input_tokens,
    completion: tokens.output_tokens,
    cached: usage.cached_tokens,
  });
}
