import { asString } from '../../json/fields';
import type { Json } from '../../json/json';
import { parseExactJson } from '../../json/readJson';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../model/message';

/** Reads a call whose arguments are JSON or a string of JSON, which may be invalid. */
export function readToolCall(id: Json | undefined, name: Json | undefined, args: Json | undefined): ToolCall {
  const call = { id: asString(id) ?? '', name: asString(name) ?? '' };
  if (typeof args !== 'string') return { ...call, arguments: args ?? {} };
  return { ...call, arguments: parseToolArguments(args), argumentsText: args };
}

/** Parses arguments: an empty text means none, and invalid JSON stays text. */
export function parseToolArguments(text: string): Json {
  return text.trim() === '' ? {} : (parseExactJson(text) ?? text);
}

interface RequestAndResponse {
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
}

/**
 * Assigns ids to the calls of protocols without ids (Ollama, Gemini before 3): `tool_1`, `tool_2` in the order of the
 * conversation, so that a response and the next request, which repeats it, agree. A result without an id belongs to the
 * first call of its tool that has no result yet.
 */
export function assignCallIds<T extends RequestAndResponse>(conversation: T): T {
  const { request, response } = conversation;
  const calls = [...(request?.messages ?? []), ...(response ? [response] : [])].flatMap(({ toolCalls }) => toolCalls);
  const results = (request?.messages ?? []).filter(({ toolCallId }) => toolCallId === '');
  if (results.length === 0 && calls.every(({ id }) => id !== '')) return conversation;
  const assigner = new CallIdAssigner();
  return {
    ...conversation,
    ...(request && { request: { ...request, messages: request.messages.map((message) => assigner.message(message)) } }),
    ...(response && { response: { ...response, toolCalls: assigner.calls(response.toolCalls) } }),
  };
}

class CallIdAssigner {
  readonly #counts = new Map<string, number>();
  readonly #pending = new Map<string, PendingCalls>();

  message(message: Message): Message {
    const toolCalls = this.calls(message.toolCalls);
    const { toolCallId, name } = message;
    if (toolCallId === undefined) return { ...message, toolCalls };
    return { ...message, toolCalls, toolCallId: this.#pendingCalls(name ?? ANY_TOOL).resolve(toolCallId) };
  }

  calls(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => {
      const identified = call.id === '' ? { ...call, id: this.#nextId(call.name) } : call;
      this.#pendingCalls(call.name).ids.push(identified.id);
      this.#pendingCalls(ANY_TOOL).ids.push(identified.id);
      return identified;
    });
  }

  #nextId(tool: string): string {
    const count = (this.#counts.get(tool) ?? 0) + 1;
    this.#counts.set(tool, count);
    return `${tool}_${count}`;
  }

  #pendingCalls(tool: string): PendingCalls {
    const calls = this.#pending.get(tool) ?? new PendingCalls();
    this.#pending.set(tool, calls);
    return calls;
  }
}

const ANY_TOOL = '';

/** The ids of a tool's calls in order, and how many of them have a result. */
class PendingCalls {
  readonly ids: string[] = [];
  #resolved = 0;

  /** The id of the call that a result belongs to: its own or, if it has none, that of the first pending call. */
  resolve(id: string): string {
    const first = this.ids[this.#resolved] ?? '';
    if (id !== '' && id !== first) return id;
    this.#resolved += 1;
    return first;
  }
}
