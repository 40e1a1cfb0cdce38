import type { Json } from '../../json/json';
import { compactJson } from '../../wire/compactJson';
import type { ChatResponse, Message, ToolCall, ToolDefinition, Usage } from '../tape';

/** Messages, tools and answers in the shapes of OpenAI's Chat Completions, for formats that keep those. */

export function writeChatMessage({ role, content, toolCalls, toolCallId, name }: Message): Json {
  const message: Record<string, Json> = { role, content };
  if (name !== undefined) message.name = name;
  if (toolCalls.length > 0) message.tool_calls = toolCalls.map(writeToolCall);
  if (toolCallId !== undefined) message.tool_call_id = toolCallId;
  return message;
}

function writeToolCall({ id, name, arguments: args, argumentsText }: ToolCall): Json {
  const text = argumentsText ?? (typeof args === 'string' ? args : compactJson(args));
  return { id, type: 'function', function: { name, arguments: text } };
}

export function writeTool({ name, description, schema }: ToolDefinition): Json {
  const definition: Record<string, Json> = { name };
  if (description !== undefined) definition.description = description;
  if (schema !== undefined) definition.parameters = schema;
  return { type: 'function', function: definition };
}

export function writeAnswer(response: ChatResponse | undefined): Json {
  const { content = null, toolCalls = [], finishReason, model, usage, error } = response ?? {};
  const message = writeChatMessage({ role: 'assistant', content, toolCalls });
  const answer: Record<string, Json> = {};
  if (model !== undefined) answer.model = model;
  answer.object = 'chat.completion';
  answer.choices = [{ finish_reason: finishReason ?? null, index: 0, message }];
  if (usage !== undefined) answer.usage = writeUsage(usage);
  if (error !== undefined) answer.error = { message: error };
  return answer;
}

export function writeUsage({ promptTokens, completionTokens, totalTokens }: Usage): Json {
  return { completion_tokens: completionTokens, prompt_tokens: promptTokens, total_tokens: totalTokens };
}
