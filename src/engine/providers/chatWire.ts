import { asCount, omitUndefined } from '../../core/json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../core/json/json';
import { exactValue, readJson } from '../../core/json/readJson';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../core/model/message';
import { chatUsage, usageIn } from '../../core/wire/openaiChat/read';
import { reportedCost } from '../../core/wire/shared/reportedCost';

/** The chat completions protocol (OpenAI's, which Ollama and most other servers implement). Nothing about a response is taken for granted. */

interface WireOptions {
  /** For requests that name no model. */
  readonly model: string;
  readonly stream: boolean;
}

/** The body of `POST /chat/completions`. */
export function writeChatRequest(request: ChatRequest, { model, stream }: WireOptions): string {
  return compactJson({
    model: request.model ?? model,
    messages: request.messages.map(writeMessage),
    ...(request.tools.length > 0 ? { tools: request.tools.map(writeTool) } : {}),
    ...request.params,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
}

function writeMessage({ role, content, toolCalls, toolCallId }: Message): JsonRecord {
  return {
    role,
    content,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(writeToolCall) } : {}),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}

function writeToolCall({ id, name, arguments: args }: ToolCall): JsonRecord {
  // A string is the model's own text that was not JSON: it is sent back unchanged.
  return { id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : compactJson(args) } };
}

function writeTool({ name, description, schema }: ChatRequest['tools'][number]): JsonRecord {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(schema === undefined ? {} : { parameters: schema }),
    },
  };
}

/** Reads a whole response; undefined when it has no choice. */
export function parseChatCompletion(body: Json): ChatResponse | undefined {
  if (!isRecord(body) || !Array.isArray(body.choices)) return undefined;
  const [choice] = body.choices;
  if (!isRecord(choice) || !isRecord(choice.message)) return undefined;
  const { message, finish_reason: finishReason } = choice;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : [];
  return {
    content: readContent(message.content) ?? readContent(message.refusal),
    toolCalls: calls.map((call, index) => readToolCall(call, index)),
    ...readUsage(body),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
  };
}

/** Text, or a list of parts of which the text counts. */
export function readContent(content: Json | undefined): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('');
}

function readToolCall(call: JsonRecord, index: number): ToolCall {
  const wanted = isRecord(call.function) ? call.function : {};
  const args = wanted.arguments ?? '';
  return {
    id: toolCallId(call.id, index),
    name: typeof wanted.name === 'string' ? wanted.name : '',
    arguments: typeof args === 'string' ? readArguments(args) : args,
  };
}

/** The id of a call. Some servers send none, but the results have to name one. */
export function toolCallId(id: Json | undefined, index: number): string {
  return typeof id === 'string' && id !== '' ? id : `call_${index + 1}`;
}

/** The arguments as JSON, or the text itself where it is not JSON. An empty text is no arguments. */
export function readArguments(text: string): Json {
  if (text.trim() === '') return {};
  const { value, problems } = readJson(text);
  return value === undefined || problems.length > 0 ? text : exactValue(value);
}

/** What a response, or the end of a stream, says of its tokens and cost; nothing unless both counts are whole numbers. */
export function readUsage(body: JsonRecord): Pick<ChatResponse, 'usage' | 'reportedCost'> {
  const usage = usageIn(body);
  if (asCount(usage.prompt_tokens) === undefined || asCount(usage.completion_tokens) === undefined) return {};
  return omitUndefined({ usage: chatUsage(usage), reportedCost: reportedCost(usage) });
}

/** The provider's error message, in any of the shapes that providers use; undefined if there is none. */
export function readErrorMessage(body: Json): string | undefined {
  if (Array.isArray(body)) return body.length > 0 ? readErrorMessage(body[0]) : undefined;
  if (!isRecord(body)) return undefined;
  const { error } = body;
  const candidates = isRecord(error) ? [error.message, error.code, error.type] : [error, body.message, body.detail];
  return candidates.find((candidate) => typeof candidate === 'string' && candidate !== '') as string | undefined;
}
