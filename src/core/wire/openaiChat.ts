import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, Usage } from '../tapes/tape';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { joinChatChunks } from './openaiChatStream';
import { openaiContent } from './openaiContent';
import { openaiReasoning } from './openaiReasoning';
import { legacyFunctions, openaiTools } from './openaiTools';
import { mediaOf, said, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/**
 * OpenAI's Chat Completions, as OpenAI, Azure, Groq, Mistral, DeepSeek, OpenRouter, xAI, Together, Perplexity, vLLM,
 * llama.cpp, Ollama's `/v1` and most others speak them, each with members of its own.
 */
export const openaiChat: WireProtocol = {
  api: 'openai-chat',
  kind: 'llm',
  path: /\/chat\/completions\/?$/,
  maybePath: /\/(chat|completions?|generate|invocations|text\/chat)\/?$/,
  isRequest: (body) => isRecord(body) && Array.isArray(body.messages),
  isResponse: (body) => isRecord(body) && recordsOf(body.choices).some(({ message }) => isRecord(message)),
  isEvent: ({ json }) =>
    json.object === 'chat.completion.chunk' || recordsOf(json.choices).some(({ delta }) => isRecord(delta)),
  readRequest,
  readResponse,
  join: joinChatChunks,
};

function readRequest(body: JsonRecord): ChatRequest {
  return present({
    model: textOf(body.model),
    messages: listOf(body.messages).map(readChatMessage),
    tools: [...openaiTools(body.tools), ...legacyFunctions(body.functions)],
    params: without(body, 'model', 'messages', 'tools', 'functions'),
  });
}

/** A message of a request; of one that is no object only its raw form is known. */
export function readChatMessage(message: Json): Message {
  if (!isRecord(message)) return { role: 'unknown', ...said([unknownPart(message)]), toolCalls: [] };
  const role = textOf(message.role) ?? 'unknown';
  const result = role === 'tool' || role === 'function';
  return present({
    role: result ? 'tool' : role,
    ...said(messageParts(message)),
    toolCalls: messageCalls(message),
    toolCallId: result ? (textOf(message.tool_call_id) ?? '') : undefined,
    name: textOf(message.name),
  });
}

const READ_ELSEWHERE = [
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
/** Hints to a server, and repetitions of what is said elsewhere. */
const HINTS = ['cache_control', 'prefix', 'type', 'id', 'object', 'status', 'channel'];
const REPEATED = ['provider_specific_fields', 'provider_metadata'];
const KNOWN = new Set([...READ_ELSEWHERE, ...REASONING, ...HINTS, ...REPEATED]);

/** All that a message says, but for its tool calls. */
export function messageParts(message: JsonRecord): Part[] {
  const { content, refusal, audio, images } = message;
  const others = Object.entries(message).filter(([key, value]) => !KNOWN.has(key) && !isBlank(value));
  return [
    ...openaiReasoning(message),
    ...openaiContent(content),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal', text: refusal } as const] : []),
    ...audioParts(recordOf(audio)),
    ...openaiContent(Array.isArray(images) ? images : undefined),
    ...unknownCalls(message),
    ...others.map(([key, value]) => unknownPart({ [key]: value })),
  ];
}

/** Spoken answers have their words beside them. In a request only the id of an earlier one stands there. */
function audioParts(audio: JsonRecord): Part[] {
  const { data, transcript, id } = audio;
  if (typeof data !== 'string') return id === undefined ? [] : [unknownPart({ audio })];
  return [mediaOf('audio/*', data), ...textParts(transcript)];
}

function messageCalls({ tool_calls: calls, function_call: call }: JsonRecord): ToolCall[] {
  const known = recordsOf(calls).flatMap((one) => readCall(one) ?? []);
  return isRecord(call) ? [...known, toolCall('', call.name, call.arguments)] : known;
}

function unknownCalls({ tool_calls: calls }: JsonRecord): Part[] {
  return listOf(calls)
    .filter((call) => !isRecord(call) || readCall(call) === undefined)
    .map(unknownPart);
}

function readCall(call: JsonRecord): ToolCall | undefined {
  if (isRecord(call.function)) return toolCall(call.id, call.function.name, call.function.arguments);
  // The input of a custom tool is text of any kind.
  if (isRecord(call.custom)) return { ...toolCall(call.id, call.custom.name, {}), arguments: call.custom.input ?? '' };
  return undefined;
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const [choice = {}, ...others] = recordsOf(answer.choices);
  const message = recordOf(choice.message);
  // Groq and Moonshot count elsewhere in a stream.
  const usage = [answer.usage, recordOf(answer.x_groq).usage, choice.usage].find(isRecord);
  const citations = ['citations', 'search_results'].filter((key) => !isBlank(answer[key]));
  return present({
    ...said([
      ...messageParts(message),
      ...citations.map((key) => unknownPart({ [key]: answer[key] ?? null })),
      ...others.map(unknownPart),
    ]),
    toolCalls: messageCalls(message),
    model: textOf(answer.model),
    usage: chatUsage(recordOf(usage)),
    finishReason: textOf(choice.finish_reason),
    error: errorOf(answer) ?? errorOf(choice),
  });
}

export function chatUsage(usage: JsonRecord): Usage | undefined {
  const prompt = recordOf(usage.prompt_tokens_details);
  const completion = recordOf(usage.completion_tokens_details);
  return usageOf({
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    cached: prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cache_read_input_tokens,
    cacheWrite: prompt.cache_write_tokens ?? prompt.cache_creation_tokens ?? usage.cache_creation_input_tokens,
    reasoning: completion.reasoning_tokens ?? usage.reasoning_tokens,
  });
}
