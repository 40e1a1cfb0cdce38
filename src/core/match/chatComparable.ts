import type { Json } from '../json/json';
import type { ChatRequest, Message, ToolCall, ToolDefinition } from '../tapes/tape';
import type { StoredFields } from '../tapes/tapeFormat';
import { present } from '../wire/fields';
import type { ComparableRequest } from './comparable';

/** What a format that stores no HTTP keeps of a request; by default, all that our model has. */
const ALL: StoredFields = { tools: 'definitions', parts: true };

/** A request by what it means, for tapes that keep messages and not HTTP. */
export function comparableChat(request: ChatRequest, stored: StoredFields = ALL): ComparableRequest {
  const { model, messages, tools, params } = request;
  const kept = stored.params;
  return {
    body: present({
      model,
      messages: messages.map((message) => messageJson(message, stored)),
      tools: tools.length === 0 ? undefined : tools.map((tool) => toolJson(tool, stored)),
      ...(kept === undefined
        ? params
        : Object.fromEntries(Object.entries(params).filter(([key]) => kept.includes(key)))),
    }) as Json,
  };
}

/** No text and an empty text say the same, beside tool calls as elsewhere. */
function messageJson({ role, content, parts, toolCalls, toolCallId, name }: Message, stored: StoredFields): Json {
  return present({
    role,
    content: content ?? '',
    parts: stored.parts ? (parts as Json | undefined) : undefined,
    name: stored.parts ? name : undefined,
    tool_calls: toolCalls.length === 0 ? undefined : toolCalls.map(callJson),
    tool_call_id: toolCallId,
  }) as Json;
}

function callJson({ id, name, arguments: args }: ToolCall): Json {
  return { type: 'function', id, name, arguments: args };
}

function toolJson({ name, description, schema, settings }: ToolDefinition, stored: StoredFields): Json {
  return stored.tools === 'names' ? { name } : (present({ name, description, parameters: schema, settings }) as Json);
}
