import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, Usage } from '../tapes/tape';
import { compactJson } from './compactJson';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { joinSteps } from './geminiInteractionsStream';
import { openaiTools } from './openaiTools';
import { mediaAt, mediaOf, reasoningParts, said, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/** Google's Interactions: a conversation that the server may keep, as a list of steps. */
export const geminiInteractions: WireProtocol = {
  api: 'gemini-interactions',
  kind: 'llm',
  path: /\/v1[a-z0-9]*\/interactions\/?$/,
  isRequest: (body) =>
    isRecord(body) && !isBlank(body.input) && ('system_instruction' in body || 'generation_config' in body),
  isResponse: (body) =>
    isRecord(body) && (body.object === 'interaction' || stepsOf(body).some((step) => step.type === 'model_output')),
  isEvent: ({ json }) => typeof json.event_type === 'string' && /^(interaction|step|content)\./.test(json.event_type),
  readRequest,
  readResponse,
  join: joinSteps,
};

function readRequest(body: JsonRecord): ChatRequest {
  const { model, input, system_instruction: system, generation_config: config } = body;
  const others = without(body, 'model', 'input', 'system_instruction', 'tools', 'generation_config');
  return present({
    model: textOf(model) ?? textOf(body.agent),
    messages: [
      ...(typeof system === 'string' ? [{ role: 'system', content: system, toolCalls: [] }] : []),
      ...readInput(typeof input === 'string' ? [input] : Array.isArray(input) ? input : [input ?? null]),
    ],
    tools: openaiTools(body.tools),
    params: { ...others, ...recordOf(config) },
  });
}

/** Steps of the user, of tools and of the model. Plain content is the user's. */
function readInput(steps: readonly Json[]): Message[] {
  const messages: Message[] = [];
  let open: { role: string; steps: Json[] } | undefined;
  const close = () => {
    if (open !== undefined) messages.push({ role: open.role, ...readSteps(open.steps) });
    open = undefined;
  };
  for (const step of steps) {
    const role = roleOf(step);
    if (role === 'tool') {
      close();
      messages.push(readResult(recordOf(step)));
      continue;
    }
    if (open?.role !== role) close();
    open ??= { role, steps: [] };
    open.steps.push(step);
  }
  close();
  return messages;
}

const OF_THE_MODEL = new Set(['model_output', 'thought', 'function_call']);

function roleOf(step: Json): string {
  const { type, role } = recordOf(step);
  if (typeof role === 'string') return role === 'model' ? 'assistant' : role;
  if (type === 'function_result') return 'tool';
  return OF_THE_MODEL.has(textOf(type) ?? '') || /_(call|result)$/.test(textOf(type) ?? '') ? 'assistant' : 'user';
}

function readResult(step: JsonRecord): Message {
  const { result } = step;
  const parts = isRecord(result) ? textParts(compactJson(result)) : contentParts(result);
  return present({
    role: 'tool',
    ...said(parts),
    toolCalls: [],
    toolCallId: textOf(step.call_id) ?? '',
    isError: step.is_error === true || undefined,
    name: textOf(step.name),
  });
}

function readSteps(steps: readonly Json[]): Pick<Message, 'content' | 'parts' | 'toolCalls'> {
  return { ...said(steps.flatMap(stepParts)), toolCalls: steps.flatMap(stepCalls) };
}

function stepCalls(step: Json): ToolCall[] {
  return isRecord(step) && step.type === 'function_call' ? [toolCall(step.id, step.name, step.arguments)] : [];
}

function stepParts(step: Json): Part[] {
  if (!isRecord(step)) return typeof step === 'string' ? textParts(step) : [unknownPart(step)];
  const type = textOf(step.type) ?? '';
  if (type === 'function_call') return [];
  if (type === 'thought') return thoughtParts(step);
  if (type === 'model_output' || type === 'user_input' || 'content' in step) return contentParts(step.content);
  const server = /^(.+)_(?:call|result)$/.exec(type)?.[1];
  return server === undefined ? contentParts([step]) : [{ type: 'server_tool', name: server, payload: step }];
}

/** Where there is no summary, only that the model thought is known. */
function thoughtParts({ summary, signature }: JsonRecord): Part[] {
  const text =
    textOf(summary) ??
    recordsOf(summary)
      .flatMap((part) => textOf(part.text) ?? [])
      .join('\n\n');
  const parts = reasoningParts(text, textOf(signature));
  return parts.length > 0 ? parts : [{ type: 'reasoning', text: '', encrypted: true }];
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return textParts(content);
  return listOf(content).flatMap((part) => (typeof part === 'string' ? textParts(part) : contentPart(part)));
}

function contentPart(part: Json): Part[] {
  const { type, text, data, uri, mime_type: mime, annotations } = recordOf(part);
  if (type === 'text' && typeof text === 'string') {
    return isBlank(annotations)
      ? textParts(text)
      : [...textParts(text), unknownPart({ annotations: annotations ?? null })];
  }
  if (typeof data === 'string') return [mediaOf(textOf(mime), data)];
  if (typeof uri === 'string') return [mediaAt(type === 'image' || type === 'audio' ? type : 'file', uri)];
  return [unknownPart(part)];
}

/** Once the steps were called outputs. */
function stepsOf(answer: JsonRecord): readonly JsonRecord[] {
  return recordsOf(answer.steps ?? answer.outputs);
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const { usage, status } = answer;
  const said = stepsOf(answer).filter(({ type }) => type !== 'user_input' && type !== 'function_result');
  return present({
    ...readSteps(said),
    model: textOf(answer.model),
    usage: readUsage(recordOf(usage)),
    finishReason: status === 'in_progress' ? undefined : textOf(status),
    error: errorOf(answer),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  return usageOf({
    prompt: usage.total_input_tokens,
    completion: usage.total_output_tokens,
    total: usage.total_tokens,
    cached: usage.total_cached_tokens,
    reasoning: usage.total_thought_tokens,
    apart: [usage.total_thought_tokens, usage.total_tool_use_tokens],
  });
}
