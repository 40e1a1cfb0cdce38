import type { Json } from '../../json/json';
import { prettyJson } from '../../json/json';
import type { ChatResponse, ToolCall } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';

/** A scenario of whole completions. */
export function writeScenario(name: string, interactions: readonly RecordedInteraction[]): string {
  const messages = interactions[0]?.request?.messages ?? [];
  const prompt = messages.findLast(({ role, content }) => role === 'user' && content !== null)?.content ?? '';
  return `${prettyJson({
    name,
    prompt,
    supports_native_tools: true,
    completions: interactions.map(({ response }) => writeCompletion(response)),
    streams: [],
  })}\n`;
}

function writeCompletion(response: ChatResponse | undefined): Json {
  const usage = response?.usage;
  return {
    content: response?.content ?? '',
    tool_calls: (response?.toolCalls ?? []).map(writeToolCall),
    usage: usage === undefined ? {} : { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
  };
}

function writeToolCall({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}
