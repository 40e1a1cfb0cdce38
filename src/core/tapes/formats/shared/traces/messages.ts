import { asList, asRecord, asRecords, asString, isBlank, omitUndefined } from '../../../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../../../json/json';
import type { Message, Part, ToolCall } from '../../../../model/message';
import { camelOrSnake } from '../../../../wire/gemini/parts';
import { readReasoning } from '../../../../wire/openaiChat/read';
import { readInput } from '../../../../wire/openaiResponses/read';
import {
  mediaFromBase64,
  mediaFromUrl,
  reasoningParts,
  textContent,
  textParts,
} from '../../../../wire/shared/messages';
import { readOpenaiContent } from '../../../../wire/shared/openaiContent';
import { readToolCall } from '../../../../wire/shared/toolCalls';

/**
 * Reads messages as SDKs write them into traces: in the shape of the provider that was called, of the framework that called it,
 * or of a convention. A text is the user's; an object without a role is one of the items of OpenAI's Responses.
 */
export function readTraceMessages(input: Json | undefined): Message[] {
  if (isBlank(input) || input === undefined) return [];
  if (isRecord(input) && Array.isArray(input.messages)) return readTraceMessages(input.messages);
  const items = Array.isArray(input) ? input.flat(1) : [input];
  return items.some(isResponsesItem) ? readInput(items) : items.flatMap(readMessage);
}

const RESPONSES_ITEM = /^(?:function_call|function_call_output|reasoning|custom_tool_call|\w+_call|\w+_call_output)$/;

function isResponsesItem(item: Json): boolean {
  return isRecord(item) && typeof item.type === 'string' && item.role === undefined && RESPONSES_ITEM.test(item.type);
}

function readMessage(item: Json): Message[] {
  if (!isRecord(item)) return item === null ? [] : [{ role: 'user', content: textOf(item), toolCalls: [] }];
  // OpenInference puts each message into an object of its own, LangChain the fields of a message into `kwargs` or `data`.
  if (isRecord(item.message) && item.role === undefined) return readMessage(item.message);
  const fields = langchainFields(item);
  const role = roleOf(item);
  const blocks = blocksOf(fields);
  if (role === 'tool') return toolMessages(fields, blocks);
  const results = blocks.filter(isResult).map(readResult);
  const others = blocks.filter((block) => !isResult(block));
  const said = textContent([...readReasoning(fields), ...others.flatMap(blockParts), ...refusal(fields)]);
  const toolCalls = [...others.flatMap(blockCalls), ...memberCalls(fields)];
  // Frameworks write an empty text beside calls where the provider wrote none.
  const content = said.content === '' && toolCalls.length > 0 ? null : said.content;
  const message = omitUndefined({ role, ...said, content, toolCalls, name: nameOf(fields) });
  return others.length === 0 && results.length > 0 ? results : [...results, message];
}

function langchainFields(item: JsonRecord): JsonRecord {
  if (isRecord(item.kwargs)) return item.kwargs;
  return isRecord(item.data) && item.content === undefined ? item.data : item;
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  model: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  function: 'tool',
  FunctionMessage: 'tool',
};

function roleOf(item: JsonRecord): string {
  const className = asString(asList(item.id).at(-1));
  const named = asString(item.role) ?? className ?? asString(item.type) ?? asString(asRecord(item.kwargs).type);
  return named === undefined ? 'user' : (ROLES[named] ?? named);
}

function nameOf({ name }: JsonRecord): string | undefined {
  return asString(name) || undefined;
}

/** The parts of a message, under whichever name. */
function blocksOf(message: JsonRecord): readonly Json[] {
  const content = message.parts ?? (isBlank(message.contents) ? message.content : message.contents);
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.map(unwrapped) : [unwrapped(content)];
}

/** A part as it is; of LlamaIndex, inside of another, and of Bedrock, below the name of its kind. */
function unwrapped(block: Json): Json {
  if (!isRecord(block)) return block;
  const { message_content: inner, toolUse, toolResult } = block;
  if (isRecord(toolUse)) return { ...toolUse, type: 'tool_use', id: toolUse.toolUseId ?? '' };
  if (isRecord(toolResult))
    return {
      ...toolResult,
      type: 'tool_result',
      tool_use_id: toolResult.toolUseId ?? '',
      isError: toolResult.status === 'error',
    };
  return isRecord(inner) ? inner : block;
}

const RESULTS: ReadonlySet<Json | undefined> = new Set(['tool_result', 'tool-result', 'tool_call_response']);

function isResult(block: Json): block is JsonRecord {
  return isRecord(block) && (RESULTS.has(block.type) || isRecord(camelOrSnake(block, 'functionResponse')));
}

/** A message of a tool holds one result as its content, or several as parts. */
function toolMessages(message: JsonRecord, blocks: readonly Json[]): Message[] {
  const results = blocks.filter(isResult);
  if (results.length > 0) return results.map(readResult);
  const id = asString(message.tool_call_id) ?? asString(message.toolCallId) ?? asString(message.id) ?? '';
  return [
    omitUndefined({
      role: 'tool',
      ...textContent(blocks.flatMap(blockParts)),
      toolCalls: [],
      toolCallId: id,
      isError: message.status === 'error' || undefined,
      name: nameOf(message),
    }),
  ];
}

function readResult(block: JsonRecord): Message {
  const call = asRecord(camelOrSnake(block, 'functionResponse'));
  const value = block.response ?? block.result ?? block.output ?? block.content ?? call.response;
  const failed =
    block.isError === true || block.is_error === true || /^error-/.test(asString(asRecord(value).type) ?? '');
  const name = asString(block.toolName) ?? asString(block.name) ?? asString(call.name);
  return omitUndefined({
    role: 'tool',
    ...textContent(resultParts(value)),
    toolCalls: [],
    toolCallId: asString(block.tool_use_id ?? block.toolCallId ?? block.id ?? call.id) ?? '',
    isError: failed || undefined,
    name: name || undefined,
  });
}

/** The AI SDK wraps a result into `{type, value}`; any result but a string is JSON. */
function resultParts(value: Json | undefined): Part[] {
  if (value === undefined || value === null) return [];
  if (isRecord(value) && typeof value.type === 'string' && 'value' in value) return resultParts(value.value);
  if (Array.isArray(value) && value.every((block) => isRecord(block) && typeof (block.type ?? block.text) === 'string'))
    return value.flatMap(blockParts);
  return textParts(textOf(value));
}

/** A value as text: JSON, unless it is a string. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : compactJson(value);
}

const CALLS: ReadonlySet<Json | undefined> = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'toolCall',
  'function_call',
]);

function blockCalls(block: Json): ToolCall[] {
  if (!isRecord(block)) return [];
  const call = camelOrSnake(block, 'functionCall');
  if (isRecord(call)) return [readToolCall(call.id, call.name, call.args)];
  if (!CALLS.has(block.type)) return [];
  const args = block.arguments ?? block.input ?? block.args;
  return [readToolCall(block.id ?? block.toolCallId ?? block.call_id, block.name ?? block.toolName, args)];
}

const CALL_MEMBERS = ['id', 'toolCallId', 'name', 'toolName', 'function'];

/** Calls that stand beside the content of a message: OpenAI's, OpenInference's, LangChain's. */
function memberCalls(message: JsonRecord): ToolCall[] {
  const more = asRecord(message.additional_kwargs);
  const listed = asRecords(isBlank(message.tool_calls) ? (message.toolCalls ?? more.tool_calls) : message.tool_calls);
  // Objects that are not calls would take a hundred times their text as calls.
  const calls = listed.flatMap((item) => {
    const call = isRecord(item.tool_call) ? item.tool_call : item;
    return CALL_MEMBERS.some((name) => name in call) ? [readMemberCall(call)] : [];
  });
  const old = message.function_call ?? more.function_call;
  return isRecord(old) && calls.length === 0 ? [readToolCall('', old.name, old.arguments)] : calls;
}

/** Whether an object is a call of a tool, as the AI SDK lists those of an answer. */
export function isCallAlone({ role, content, toolCallId, toolName }: JsonRecord): boolean {
  return role === undefined && content === undefined && typeof toolCallId === 'string' && typeof toolName === 'string';
}

export function readMemberCall(call: JsonRecord): ToolCall {
  const named = isRecord(call.function) ? call.function : call;
  const args = named.arguments ?? named.args ?? named.input;
  return readToolCall(call.id ?? call.toolCallId, named.name ?? named.toolName, args);
}

function refusal({ refusal: text }: JsonRecord): Part[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'refusal', text }] : [];
}

const REASONING: ReadonlySet<Json | undefined> = new Set(['thinking', 'reasoning', 'think']);

/** The parts of a block; none for a call. */
function blockParts(block: Json): Part[] {
  if (!isRecord(block)) return block === null ? [] : textParts(textOf(block));
  if (CALLS.has(block.type) || isRecord(camelOrSnake(block, 'functionCall'))) return [];
  const text = asString(block.text) ?? asString(block.content);
  if (REASONING.has(block.type))
    return reasoningParts(asString(block.thinking ?? block.think) ?? text ?? '', asString(block.signature));
  if (block.thought === true && text !== undefined)
    return reasoningParts(text, asString(camelOrSnake(block, 'thoughtSignature')));
  if (text !== undefined && (block.type === 'text' || block.type === undefined)) return textParts(text);
  return mediaParts(block) ?? readOpenaiContent([block]);
}

/** Media of the GenAI conventions, of Anthropic, of OpenInference, and of the AI SDK. */
function mediaParts(block: JsonRecord): Part[] | undefined {
  const source = isRecord(block.source) ? block.source : asRecord(camelOrSnake(block, 'inlineData'));
  const mime = asString(block.mime_type ?? block.mediaType ?? source.media_type ?? camelOrSnake(source, 'mimeType'));
  const data = asString(block.type === 'blob' ? (block.content ?? block.data) : (source.data ?? block.data));
  if (data !== undefined && mime !== undefined && !/^https?:/.test(data)) return [mediaFromBase64(mime, data)];
  const image = asRecord(asRecord(block.image).image);
  const url = asString(block.type === 'uri' ? block.uri : (source.url ?? image.url));
  return url === undefined ? undefined : [mediaFromUrl('image', url)];
}
