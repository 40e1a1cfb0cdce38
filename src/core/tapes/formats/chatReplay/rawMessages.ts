import { asList, asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import type { Message, Part, ToolCall } from '../../../model/message';
import { mediaFromUrl, readFunctionCalls, reasoningParts, textContent, textParts } from '../../../wire/shared/messages';
import { readToolCall } from '../../../wire/shared/toolCalls';
import { readTraceMessages } from '../shared/traces/messages';

/** The roles of messages as Copilot Chat counts them. */
const ROLES = ['system', 'user', 'assistant', 'tool'];

/** Reads messages in the raw form of prompt-tsx: roles and types of parts are numbers. */
export function readRawMessages(messages: Json | undefined): Message[] {
  return asRecords(messages).flatMap((message) => {
    const role = typeof message.role === 'number' ? ROLES[message.role] : undefined;
    return role === undefined ? readTraceMessages([message]) : [readRawMessage(role, message)];
  });
}

function readRawMessage(role: string, message: JsonRecord): Message {
  const { content } = message;
  const parts = typeof content === 'string' ? [content] : asList(content);
  return omitUndefined({
    role,
    ...textContent(parts.flatMap(readRawPart)),
    toolCalls: [...readFunctionCalls({ tool_calls: message.toolCalls ?? [] }), ...parts.flatMap(rawCall)],
    toolCallId: role === 'tool' ? (asString(message.toolCallId) ?? '') : undefined,
    name: asString(message.name) || undefined,
  });
}

const [IMAGE, TEXT, OPAQUE] = [0, 1, 2];

/** What only the client or the provider reads, such as places of a cache, is left out. */
function readRawPart(part: Json): Part[] {
  if (typeof part === 'string') return textParts(part);
  const { type, text, imageUrl, value } = asRecord(part);
  if (type === TEXT || type === 'text') return textParts(text);
  const url = asString(asRecord(imageUrl).url);
  if (type === IMAGE && url !== undefined) return [mediaFromUrl('image', url)];
  if (type !== OPAQUE) return [];
  const { thinking } = asRecord(value);
  const thought = asRecord(thinking).text;
  const said = Array.isArray(thought) ? thought.map((line) => asString(line) ?? '').join('\n') : asString(thought);
  return thinking === undefined ? [] : reasoningParts(said ?? '', asString(asRecord(thinking).encrypted));
}

function rawCall(part: Json): ToolCall[] {
  const value = asRecord(asRecord(part).value);
  if (value.type !== 'tool_call') return [];
  const { id, name, input } = asRecord(value.toolCall);
  return [readToolCall(id, name, input)];
}
