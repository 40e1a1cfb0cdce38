import type { Json } from '../../../json/json';
import { copyWrittenNumber } from '../../../json/writtenNumbers';
import type { ChatRequest, Message, ToolCall } from '../../../model/message';
import type { Usage } from '../../../model/usage';

/** The request object of a tape and of an artifact's `llm_request`. */
export function writeMofaRequest(request: ChatRequest): Json {
  const written = {
    messages: request.messages.map(writeMofaMessage),
    model: request.model ?? null,
    temperature: request.params.temperature ?? null,
    max_tokens: request.params.max_tokens ?? null,
    tool_names: request.tools.map(({ name }) => name),
  };
  copyWrittenNumber(request.params, 'temperature', written, 'temperature');
  return written;
}

function writeMofaMessage(message: Message): Json {
  return {
    role: message.role,
    content: message.content,
    tool_call_id: message.toolCallId ?? null,
    tool_calls: message.toolCalls.map(writeMofaToolCall),
  };
}

export function writeMofaToolCall({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}

export function writeMofaUsage(usage: Usage): Json {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
  };
}
