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

/** MoFA reads the three counts alone. What decides the price besides them is written as OpenAI writes it, where there is any. */
export function writeMofaUsage(usage: Usage, reportedCost?: number): Json {
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const prompt = {
    ...(cachedTokens > 0 && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens > 0 && { cache_write_tokens: cacheWriteTokens }),
  };
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
    ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
    ...(reasoningTokens > 0 && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    ...(reportedCost !== undefined && { cost: reportedCost }),
  };
}
