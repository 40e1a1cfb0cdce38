import { compactJson, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../model/message';
import { usageOf } from './dslCase';
import type { Completion } from './dslDocument';
import { anything, SerdeError } from './serde';
import { readSerdeJson } from './serdeJson';

/** The body of a request as MoFA's OpenAI-compatible provider sends it. */
export function writeCompletionRequest({ messages, tools }: ChatRequest, model: string): string {
  return compactJson({
    model,
    messages: messages.map(messageJson),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description: description ?? '', parameters: schema ?? null },
      })),
    }),
  });
}

function messageJson({ role, content, toolCallId, toolCalls }: Message): JsonRecord {
  return {
    role,
    ...(content !== null && { content }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(callJson) }),
  };
}

function callJson({ id, name, arguments: args }: ToolCall): Json {
  return { id, type: 'function', function: { name, arguments: compactJson(args) } };
}

/** The first choice of a response; undefined if there is none. */
export function completionResponse({ choices, usage }: Completion): ChatResponse | undefined {
  const [choice] = choices;
  if (choice === undefined) return undefined;
  const { content, tool_calls } = choice.message;
  return {
    content,
    toolCalls: (tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      arguments: argumentsOf(args),
    })),
    ...(usage !== null && { usage: usageOf(usage) }),
  };
}

/** The arguments of a call, or the text where they are not JSON. */
function argumentsOf(written: string): Json {
  try {
    return readSerdeJson(written, anything);
  } catch (error) {
    if (error instanceof SerdeError) return written;
    throw error;
  }
}
