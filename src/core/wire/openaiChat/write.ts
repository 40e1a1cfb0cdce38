import { compactJson, type Json } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, ToolCall, ToolDefinition } from '../../model/message';
import type { Usage } from '../../model/usage';

/** Writes a message as Chat Completions does, for formats that store it so. The functions below do the same. */
export function writeChatMessage({ role, content, toolCalls, toolCallId, name }: Message): Json {
  const message: Record<string, Json> = { role, content };
  if (name !== undefined) message.name = name;
  if (toolCalls.length > 0) message.tool_calls = toolCalls.map(writeChatToolCall);
  if (toolCallId !== undefined) message.tool_call_id = toolCallId;
  return message;
}

function writeChatToolCall({ id, name, arguments: args, argumentsText }: ToolCall): Json {
  const text = argumentsText ?? (typeof args === 'string' ? args : compactJson(args));
  return { id, type: 'function', function: { name, arguments: text } };
}

export function writeChatTool({ name, description, schema }: ToolDefinition): Json {
  const definition: Record<string, Json> = { name };
  if (description !== undefined) definition.description = description;
  if (schema !== undefined) definition.parameters = schema;
  return { type: 'function', function: definition };
}

export function writeChatResponse(response: ChatResponse | undefined): Json {
  const { content = null, toolCalls = [], finishReason, model, usage, error } = response ?? {};
  const message = writeChatMessage({ role: 'assistant', content, toolCalls });
  const body: Record<string, Json> = {};
  if (model !== undefined) body.model = model;
  body.object = 'chat.completion';
  body.choices = [{ finish_reason: finishReason ?? null, index: 0, message }];
  if (usage !== undefined) body.usage = writeChatUsage(usage);
  if (error !== undefined) body.error = { message: error };
  return body;
}

export function writeChatUsage({ promptTokens, completionTokens, totalTokens }: Usage): Json {
  return { completion_tokens: completionTokens, prompt_tokens: promptTokens, total_tokens: totalTokens };
}

/** Writes a request as the body of a Chat Completions call. */
export function writeChatBody(request: ChatRequest | undefined): Json {
  const { model, messages = [], tools = [], params = {} } = request ?? {};
  return {
    ...(model === undefined ? {} : { model }),
    messages: messages.map(writeChatMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeChatTool) }),
    ...params,
  };
}
