import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../tapes/tape';
import { cohereUsage } from './cohereUsage';
import { compactJson } from './compactJson';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { said, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** Cohere's Chat before version 2: one message, with the conversation before it beside it. */
export function isCohereV1Request(body: JsonRecord): boolean {
  return typeof body.message === 'string' && !('messages' in body);
}

export function isCohereV1Answer(body: JsonRecord): boolean {
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
  return present({
    model: textOf(body.model),
    messages: [
      ...(isBlank(preamble) ? [] : [{ role: 'system', ...said(textParts(preamble)), toolCalls: [] }]),
      ...listOf(history).flatMap(readTurn),
      ...(isBlank(message) ? [] : [{ role: 'user', ...said(textParts(message)), toolCalls: [] }]),
      ...recordsOf(results).map(readResult),
    ],
    tools: recordsOf(body.tools).map(readTool),
    params: without(body, 'model', 'preamble', 'chat_history', 'message', 'tools', 'tool_results'),
  });
}

function readTurn(turn: Json): Message[] {
  if (!isRecord(turn)) return [{ role: 'unknown', ...said([unknownPart(turn)]), toolCalls: [] }];
  const results = recordsOf(turn.tool_results).map(readResult);
  if (results.length > 0) return results;
  const role = textOf(turn.role)?.toLowerCase() ?? 'unknown';
  return [{ role: ROLES.get(role) ?? role, ...said(textParts(turn.message)), toolCalls: readCalls(turn.tool_calls) }];
}

/** A result names its call by repeating it. */
function readResult({ call, outputs }: JsonRecord): Message {
  const content = compactJson(outputs ?? null);
  return present({ role: 'tool', content, toolCalls: [], toolCallId: '', name: textOf(recordOf(call).name) });
}

function readCalls(calls: Json | undefined): ToolCall[] {
  return recordsOf(calls).map(({ name, parameters }) => toolCall('', name, parameters));
}

function readTool(tool: JsonRecord): ToolDefinition {
  return present({
    name: textOf(tool.name) ?? '',
    description: textOf(tool.description),
    schema: tool.parameter_definitions,
  });
}

export function readCohereV1Response(answer: JsonRecord): ChatResponse {
  return present({
    ...said([...textParts(answer.text), ...sources(answer)]),
    toolCalls: readCalls(answer.tool_calls),
    usage: cohereUsage(recordOf(answer.meta)),
    finishReason: textOf(answer.finish_reason),
    error: errorOf(answer),
  });
}

function sources(answer: JsonRecord): Part[] {
  const said = ['citations', 'documents', 'search_results'].filter((key) => !isBlank(answer[key]));
  return said.map((key) => unknownPart({ [key]: answer[key] ?? null }));
}
