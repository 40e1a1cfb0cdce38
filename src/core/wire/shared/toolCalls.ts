import { asString } from '../../json/fields';
import type { Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../model/message';

/** A call whose arguments are JSON, or a string of JSON, which the model may have got wrong. */
export function readToolCall(id: Json | undefined, name: Json | undefined, args: Json | undefined): ToolCall {
  const call = { id: asString(id) ?? '', name: asString(name) ?? '' };
  if (typeof args !== 'string') return { ...call, arguments: args ?? {} };
  return { ...call, arguments: parseToolArguments(args), argumentsText: args };
}

/** What a string of JSON says: no text is no arguments, and what is no JSON stays the text that it is. */
export function parseToolArguments(text: string): Json {
  return text.trim() === '' ? {} : (parseJson(text) ?? text);
}

interface RequestAndResponse {
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
}

/**
 * Names the calls of protocols that have no ids (Ollama, Gemini before 3): `tool_1`, `tool_2` in the order of the
 * conversation, so that an answer and the request that repeats it agree. A result without an id answers the first
 * open call of its tool.
 */
export function assignCallIds<T extends RequestAndResponse>(conversation: T): T {
  const { request, response } = conversation;
  const calls = [...(request?.messages ?? []), ...(response ? [response] : [])].flatMap(({ toolCalls }) => toolCalls);
  const results = (request?.messages ?? []).filter(({ toolCallId }) => toolCallId === '');
  if (results.length === 0 && calls.every(({ id }) => id !== '')) return conversation;
  const names = new CallIdAssigner();
  return {
    ...conversation,
    ...(request && { request: { ...request, messages: request.messages.map((message) => names.message(message)) } }),
    ...(response && { response: { ...response, toolCalls: names.calls(response.toolCalls) } }),
  };
}

class CallIdAssigner {
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<string, UnansweredCalls>();

  message(message: Message): Message {
    const toolCalls = this.calls(message.toolCalls);
    const { toolCallId, name } = message;
    if (toolCallId === undefined) return { ...message, toolCalls };
    return { ...message, toolCalls, toolCallId: this.#openCalls(name ?? ANY_TOOL).answer(toolCallId) };
  }

  calls(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => {
      const named = call.id === '' ? { ...call, id: this.#next(call.name) } : call;
      this.#openCalls(call.name).ids.push(named.id);
      this.#openCalls(ANY_TOOL).ids.push(named.id);
      return named;
    });
  }

  #next(tool: string): string {
    const count = (this.#counts.get(tool) ?? 0) + 1;
    this.#counts.set(tool, count);
    return `${tool}_${count}`;
  }

  #openCalls(tool: string): UnansweredCalls {
    const calls = this.#open.get(tool) ?? new UnansweredCalls();
    this.#open.set(tool, calls);
    return calls;
  }
}

const ANY_TOOL = '';

/** The calls of a tool that no result has answered, in their order. */
class UnansweredCalls {
  readonly ids: string[] = [];
  #answered = 0;

  /** The call that a result with this id answers: the first open one, where the result has none. */
  answer(id: string): string {
    const first = this.ids[this.#answered] ?? '';
    if (id !== '' && id !== first) return id;
    this.#answered += 1;
    return first;
  }
}
