import type { Json } from '../json/json';
import type { ChatRequest, Message, ToolDefinition } from '../model/message';
import type { TapeResponseEdit } from '../tapes/format';
import { t } from '../text/l10n';
import type { RequestEdits } from '../wire/edit/editRequest';
import type { ResponseEdit } from '../wire/edit/responseEdit';
import { readChatCompletionRequest } from '../wire/openaiChat/read';

/** What is different in a fork: the last response that it shares, and the requests from there on. */
export interface ForkEdits extends RequestEdits {
  /** Of the last shared interaction. */
  readonly response?: readonly ResponseEdit[];
}

/** The edits of the response before the fork, as edits of its tape. */
export function responseEdits({ response = [] }: ForkEdits, at: number): readonly TapeResponseEdit[] {
  return response.map((edit) => ({ ...edit, interaction: at - 1 }));
}

/** A request of the built-in agent with the edits. Its model is the provider's, and tools are written as in Chat Completions. */
export function editChatRequest(request: ChatRequest, { system, tools, toolResults = {} }: RequestEdits): ChatRequest {
  const messages = request.messages.map((message) => withResult(message, toolResults));
  return {
    ...request,
    messages: system === undefined ? messages : withSystem(messages, system),
    ...(tools && { tools: readChatTools(tools).map((tool) => withDefinition(tool, request.tools)) }),
  };
}

/** Why the first request after a fork is not sent, and how to go on, where it lacks a result that was edited. */
export function missingResult(call: string): readonly [message: string, fix: string] {
  return [
    t(
      'the first request after the fork has no result of the tool call {0}, so its edited result could not be sent',
      call,
    ),
    t('The agent has changed since the tape was recorded. Re-record the tape, and fork the new one.'),
  ];
}

function readChatTools(tools: readonly Json[]): ChatRequest['tools'] {
  return readChatCompletionRequest({ messages: [], tools: [...tools] }).tools;
}

/** Some tapes have only the names of tools: such a name stands for the agent's tool of that name. */
function withDefinition(tool: ToolDefinition, offered: readonly ToolDefinition[]): ToolDefinition {
  const isNamed = tool.description === undefined && tool.schema === undefined && tool.settings === undefined;
  return (isNamed ? offered.find(({ name }) => name === tool.name) : undefined) ?? tool;
}

function withResult(message: Message, results: Readonly<Record<string, string>>): Message {
  const { toolCallId = '' } = message;
  const { parts: _, ...plain } = message;
  return Object.hasOwn(results, toolCallId) ? { ...plain, content: results[toolCallId] ?? '' } : message;
}

function withSystem(messages: readonly Message[], content: string): readonly Message[] {
  const at = messages.findIndex(({ role }) => role === 'system' || role === 'developer');
  const prompt = { role: messages[at]?.role ?? 'system', content, toolCalls: [] };
  return at === -1 ? [prompt, ...messages] : messages.with(at, prompt);
}
