import type { Interaction } from '../model/interaction';
import type { Message, ToolCall } from '../model/message';
import type { Continuation } from './conversations/conversationTracker';
import type { MessagePlace } from './conversations/silentChange';

/** A message that an interaction adds to the conversation, and the places of its tool calls' results. */
export interface ShownMessage {
  readonly place: number | 'response';
  /** One for each call, set when a later request brings the result. */
  readonly results: (MessagePlace | undefined)[];
}

interface PendingToolCall {
  readonly interaction: number;
  readonly message: ShownMessage;
  readonly call: number;
  readonly name: string;
}

/** Joins the results of tools, which come in later requests, to their calls. */
export class PendingToolCalls {
  readonly #pending = new Map<string, PendingToolCall[]>();
  /** The calls of the latest message with tool calls. */
  #latest: readonly PendingToolCall[] = [];

  /** The messages that an interaction shows. `onJoined` receives the interactions whose calls got their results by it. */
  add(
    interaction: Interaction,
    continuation: Continuation | undefined,
    onJoined: (interaction: number) => void,
  ): readonly ShownMessage[] {
    const { index, request } = interaction;
    const shown: ShownMessage[] = [];
    for (const place of continuation?.added ?? []) {
      const message = request?.messages[place];
      if (message === undefined) continue;
      const joined = this.#join(message, { interaction: index, message: place }, request?.messages ?? []);
      if (joined !== undefined) onJoined(joined);
      else shown.push(this.#register(index, place, message.toolCalls));
    }
    // Every interaction has an entry in the transcript, even an empty one.
    if (hasResponse(interaction) || shown.length === 0)
      shown.push(this.#register(index, 'response', interaction.response?.toolCalls ?? []));
    return shown;
  }

  #join({ toolCallId }: Message, place: MessagePlace, messages: readonly Message[]): number | undefined {
    if (toolCallId === undefined) return undefined;
    const call = this.#pending.get(toolCallId)?.shift() ?? this.#findByTool(toolCallId, messages);
    if (call === undefined) return undefined;
    call.message.results[call.call] = place;
    return call.interaction;
  }

  /** Finds a call by its tool, for agents that send calls back under ids of their own. */
  #findByTool(id: string, messages: readonly Message[]): PendingToolCall | undefined {
    const sent = messages.flatMap(({ toolCalls }) => toolCalls).find((call) => call.id === id);
    return this.#latest.find(({ name, message, call }) => name === sent?.name && message.results[call] === undefined);
  }

  /** Registers calls for their results. Agents may reuse or omit ids, so that the latest calls of an id replace the others. */
  #register(interaction: number, place: number | 'response', calls: readonly ToolCall[]): ShownMessage {
    const message: ShownMessage = { place, results: calls.map(() => undefined) };
    const pending = calls.map(({ name }, call): PendingToolCall => ({ interaction, message, call, name }));
    for (const { id } of calls) {
      this.#pending.set(
        id,
        pending.filter(({ call }) => calls[call]?.id === id),
      );
    }
    if (pending.length > 0) this.#latest = pending;
    return message;
  }
}

/** Whether an interaction has a response entry: all kinds of requests do, even if the response is missing. */
function hasResponse({ kind, response }: Interaction): boolean {
  return response !== undefined || kind === 'http' || kind === 'llm' || kind === 'embedding';
}
