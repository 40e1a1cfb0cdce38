import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { Message, Part, ToolCall } from '../tapes/tape';
import { present, recordOf, recordsOf, textOf } from './fields';
import { said, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** A message that has its role beside its calls and their ids, as Cohere's and Ollama's have; `parts` reads the rest. */
export function roleMessage(message: Json, parts: (message: JsonRecord) => Part[]): Message {
  if (!isRecord(message)) return { role: 'unknown', ...said([unknownPart(message)]), toolCalls: [] };
  const role = textOf(message.role) ?? 'unknown';
  return present({
    role,
    ...said(parts(message)),
    toolCalls: functionCalls(message),
    toolCallId: role === 'tool' ? (textOf(message.tool_call_id) ?? '') : undefined,
  });
}

/** The calls of a message, each of a `function` with its name and arguments. */
export function functionCalls({ tool_calls: calls }: JsonRecord): ToolCall[] {
  return recordsOf(calls).map((call) => {
    const { name, arguments: args } = recordOf(call.function);
    return toolCall(call.id, name, args);
  });
}
