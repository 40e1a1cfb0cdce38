import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { mediaFromBase64, reasoningParts, textContent, textParts, unknownPart } from '../shared/messages';
import { readOpenaiContent, thinkingText } from '../shared/openaiContent';
import { readLegacyFunctions, readOpenaiTools } from '../shared/openaiTools';
import { reportedCost } from '../shared/reportedCost';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

export function readChatCompletionRequest(body: JsonRecord): ChatRequest {
  return omitUndefined({
    model: asString(body.model),
    messages: asList(body.messages).map(readChatMessage),
    tools: [...readOpenaiTools(body.tools), ...readLegacyFunctions(body.functions)],
    params: omitKeys(body, 'model', 'messages', 'tools', 'functions'),
  });
}

/** Reads a message of a request. One that is not an object becomes an unknown part. */
export function readChatMessage(message: Json): Message {
  if (!isRecord(message)) return { role: 'unknown', ...textContent([unknownPart(message)]), toolCalls: [] };
  const role = asString(message.role) ?? 'unknown';
  const result = role === 'tool' || role === 'function';
  return omitUndefined({
    role: result ? 'tool' : role,
    ...textContent(messageParts(message)),
    toolCalls: messageCalls(message),
    toolCallId: result ? (asString(message.tool_call_id) ?? '') : undefined,
    name: asString(message.name),
  });
}

const OWN_MEMBERS = [
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'images',
  'tool_calls',
  'tool_call_id',
  'function_call',
];
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks', 'reasoning_signature'];
/** Hints to a server, and members that repeat others; neither is shown. */
const HINTS = ['cache_control', 'prefix', 'type', 'id', 'object', 'status', 'channel'];
const REPEATED = ['provider_specific_fields', 'provider_metadata'];
const KNOWN = new Set([...OWN_MEMBERS, ...REASONING, ...HINTS, ...REPEATED]);

/** The parts of a message: everything but its tool calls. */
function messageParts(message: JsonRecord): Part[] {
  const { content, refusal, audio, images } = message;
  const others = Object.entries(message).filter(([key, value]) => !KNOWN.has(key) && !isBlank(value));
  return [
    ...readReasoning(message),
    ...readOpenaiContent(content),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal', text: refusal } as const] : []),
    ...audioParts(asRecord(audio)),
    ...readOpenaiContent(Array.isArray(images) ? images : undefined),
    ...unknownCallParts(message),
    ...others.map(([key, value]) => unknownPart({ [key]: value })),
  ];
}

/** Audio of a response comes with its transcript. A request refers to earlier audio by id. */
function audioParts(audio: JsonRecord): Part[] {
  const { data, transcript, id } = audio;
  if (typeof data !== 'string') return id === undefined ? [] : [unknownPart({ audio })];
  return [mediaFromBase64('audio/*', data), ...textParts(transcript)];
}

function messageCalls({ tool_calls: calls, function_call: call }: JsonRecord): ToolCall[] {
  const toolCalls = asRecords(calls).flatMap((one) => readCall(one) ?? []);
  return isRecord(call) ? [...toolCalls, readToolCall('', call.name, call.arguments)] : toolCalls;
}

function unknownCallParts({ tool_calls: calls }: JsonRecord): Part[] {
  return asList(calls)
    .filter((call) => !isRecord(call) || readCall(call) === undefined)
    .map(unknownPart);
}

function readCall(call: JsonRecord): ToolCall | undefined {
  if (isRecord(call.function)) return readToolCall(call.id, call.function.name, call.function.arguments);
  // The input of a custom tool is free text.
  if (isRecord(call.custom))
    return { ...readToolCall(call.id, call.custom.name, {}), arguments: call.custom.input ?? '' };
  return undefined;
}

export function readChatCompletionResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const [choice = {}, ...others] = asRecords(response.choices);
  const message = asRecord(choice.message);
  const usage = usageIn(response);
  const citations = ['citations', 'search_results'].filter((key) => !isBlank(response[key]));
  return omitUndefined({
    ...textContent([
      ...messageParts(message),
      ...citations.map((key) => unknownPart({ [key]: response[key] ?? null })),
      ...others.map(unknownPart),
    ]),
    toolCalls: messageCalls(message),
    model: asString(response.model),
    usage: chatUsage(usage),
    reportedCost: reportedCost(usage),
    finishReason: asString(choice.finish_reason),
    error: responseError(response) ?? responseError(choice),
  });
}

/** Where a response, or a part of a stream, has its token counts: Groq and Moonshot report those of a stream elsewhere. */
export function usageIn(response: JsonRecord): JsonRecord {
  const [choice] = asRecords(response.choices);
  return asRecord([response.usage, asRecord(response.x_groq).usage, choice?.usage].find(isRecord));
}

export function chatUsage(usage: JsonRecord): Usage | undefined {
  const prompt = asRecord(usage.prompt_tokens_details);
  const completion = asRecord(usage.completion_tokens_details);
  return usageFromCounts({
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    cached: prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cache_read_input_tokens,
    cacheWrite: prompt.cache_write_tokens ?? prompt.cache_creation_tokens ?? usage.cache_creation_input_tokens,
    reasoning: completion.reasoning_tokens ?? usage.reasoning_tokens,
  });
}

/**
 * Reads the reasoning of a message. OpenAI itself sends none; others send `reasoning_content` (DeepSeek), `reasoning`
 * (Groq, OpenRouter), `reasoning_details` (OpenRouter, which repeats it there) or `thinking_blocks` (LiteLLM).
 */
export function readReasoning(message: JsonRecord): Part[] {
  const details = [...asRecords(message.reasoning_details), ...asRecords(message.thinking_blocks)];
  const text =
    thinkingText(message.reasoning_content) || thinkingText(message.reasoning) || details.map(detailText).join('');
  const signature =
    details.map(({ signature }) => asString(signature)).find(Boolean) ?? asString(message.reasoning_signature);
  const encrypted = details.flatMap(({ data }) => reasoningParts('', asString(data)));
  return [...reasoningParts(text, signature), ...encrypted];
}

function detailText({ text, summary, thinking }: JsonRecord): string {
  return asString(text) ?? asString(summary) ?? asString(thinking) ?? '';
}
