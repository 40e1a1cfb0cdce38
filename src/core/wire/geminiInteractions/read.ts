import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { mediaFromBase64, mediaFromUrl, reasoningParts, textContent, textParts, unknownPart } from '../shared/messages';
import { readOpenaiTools } from '../shared/openaiTools';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

export function readInteractionRequest(body: JsonRecord): ChatRequest {
  const { model, input, system_instruction: system, generation_config: config } = body;
  const others = omitKeys(body, 'model', 'input', 'system_instruction', 'tools', 'generation_config');
  return omitUndefined({
    model: asString(model) ?? asString(body.agent),
    messages: [
      ...(typeof system === 'string' ? [{ role: 'system', content: system, toolCalls: [] }] : []),
      ...readInput(typeof input === 'string' ? [input] : Array.isArray(input) ? input : [input ?? null]),
    ],
    tools: readOpenaiTools(body.tools),
    params: { ...others, ...asRecord(config) },
  });
}

/** Reads steps of the user, of tools and of the model as messages. Plain content is the user's. */
function readInput(steps: readonly Json[]): Message[] {
  const messages: Message[] = [];
  let turn: { role: string; steps: Json[] } | undefined;
  const close = () => {
    if (turn !== undefined) messages.push({ role: turn.role, ...readSteps(turn.steps) });
    turn = undefined;
  };
  for (const step of steps) {
    const role = roleOf(step);
    if (role === 'tool') {
      close();
      messages.push(readResult(asRecord(step)));
      continue;
    }
    if (turn?.role !== role) close();
    turn ??= { role, steps: [] };
    turn.steps.push(step);
  }
  close();
  return messages;
}

const MODEL_STEPS = new Set(['model_output', 'thought', 'function_call']);

function roleOf(step: Json): string {
  const { type, role } = asRecord(step);
  if (typeof role === 'string') return role === 'model' ? 'assistant' : role;
  if (type === 'function_result') return 'tool';
  return MODEL_STEPS.has(asString(type) ?? '') || /_(call|result)$/.test(asString(type) ?? '') ? 'assistant' : 'user';
}

function readResult(step: JsonRecord): Message {
  const { result } = step;
  const parts = isRecord(result) ? textParts(compactJson(result)) : contentParts(result);
  return omitUndefined({
    role: 'tool',
    ...textContent(parts),
    toolCalls: [],
    toolCallId: asString(step.call_id) ?? '',
    isError: step.is_error === true || undefined,
    name: asString(step.name),
  });
}

function readSteps(steps: readonly Json[]): Pick<Message, 'content' | 'parts' | 'toolCalls'> {
  return { ...textContent(steps.flatMap(stepParts)), toolCalls: steps.flatMap(stepCalls) };
}

function stepCalls(step: Json): ToolCall[] {
  return isRecord(step) && step.type === 'function_call' ? [readToolCall(step.id, step.name, step.arguments)] : [];
}

function stepParts(step: Json): Part[] {
  if (!isRecord(step)) return typeof step === 'string' ? textParts(step) : [unknownPart(step)];
  const type = asString(step.type) ?? '';
  if (type === 'function_call') return [];
  if (type === 'thought') return thoughtParts(step);
  if (type === 'model_output' || type === 'user_input' || 'content' in step) return contentParts(step.content);
  const server = /^(.+)_(?:call|result)$/.exec(type)?.[1];
  return server === undefined ? contentParts([step]) : [{ type: 'server_tool', name: server, payload: step }];
}

/** Reads a thought. Without a summary, all that is known is that the model thought. */
function thoughtParts({ summary, signature }: JsonRecord): Part[] {
  const text =
    asString(summary) ??
    asRecords(summary)
      .flatMap((part) => asString(part.text) ?? [])
      .join('\n\n');
  const parts = reasoningParts(text, asString(signature));
  return parts.length > 0 ? parts : [{ type: 'reasoning', text: '', encrypted: true }];
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return textParts(content);
  return asList(content).flatMap((part) => (typeof part === 'string' ? textParts(part) : contentPart(part)));
}

function contentPart(part: Json): Part[] {
  const { type, text, data, uri, mime_type: mime, annotations } = asRecord(part);
  if (type === 'text' && typeof text === 'string') {
    return isBlank(annotations)
      ? textParts(text)
      : [...textParts(text), unknownPart({ annotations: annotations ?? null })];
  }
  if (typeof data === 'string') return [mediaFromBase64(asString(mime), data)];
  if (typeof uri === 'string') return [mediaFromUrl(type === 'image' || type === 'audio' ? type : 'file', uri)];
  return [unknownPart(part)];
}

/** The steps of a response, which earlier versions called outputs. */
export function stepsOf(response: JsonRecord): readonly JsonRecord[] {
  return asRecords(response.steps ?? response.outputs);
}

export function readInteractionResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const { usage, status } = response;
  const modelSteps = stepsOf(response).filter(({ type }) => type !== 'user_input' && type !== 'function_result');
  return omitUndefined({
    ...readSteps(modelSteps),
    model: asString(response.model),
    usage: readUsage(asRecord(usage)),
    finishReason: status === 'in_progress' ? undefined : asString(status),
    error: responseError(response),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  return usageFromCounts({
    prompt: usage.total_input_tokens,
    completion: usage.total_output_tokens,
    total: usage.total_tokens,
    cached: usage.total_cached_tokens,
    reasoning: usage.total_thought_tokens,
    besidePrompt: [usage.total_tool_use_tokens],
    besideCompletion: [usage.total_thought_tokens],
  });
}
