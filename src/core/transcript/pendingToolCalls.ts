import type { Interaction } from '../model/interaction';
import type { Message, ToolCall } from '../model/message';
import type { Continuation } from './conversations/conversationTracker';
import type { MessagePlace } from './conversations/silentChange';

/** A message that an interaction adds to the conversation, and where its tool calls were answered. */
export interface ShownMessage {
  readonly place: number | 'answer';
  /** As many as there are calls; filled in when a later request brings the result. */
  readonly results: (MessagePlace | undefined)[];
}

interface PendingToolCall {
  readonly interaction: number;
  readonly message: ShownMessage;
  readonly call: number;
  readonly name: string;
}

/** What is on its way: joins the results of tools, which come in later requests, to the calls they answer. */
export class PendingToolCalls {
  readonly #open = new Map<string, PendingToolCall[]>();
  /** The calls of the message that had some last. */
  #latest: readonly PendingToolCall[] = [];

  /** What an interaction shows. `onJoined` is told of the interactions whose calls were answered by it. */
  take(
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
      else shown.push(this.#opened(index, place, message.toolCalls));
    }
    // Whatever is on the tape has a place in the transcript, be it to say that there is nothing.
    if (hasResponse(interaction) || shown.length === 0)
      shown.push(this.#opened(index, 'answer', interaction.response?.toolCalls ?? []));
    return shown;
  }

  #join({ toolCallId }: Message, place: MessagePlace, asked: readonly Message[]): number | undefined {
    const answered =
      toolCallId === undefined ? undefined : (this.#open.get(toolCallId)?.shift() ?? this.#renamed(toolCallId, asked));
    if (answered === undefined) return undefined;
    answered.message.results[answered.call] = place;
    return answered.interaction;
  }

  /** An agent may send a call back under an id of its own: then the tool's name tells which call it was. */
  #renamed(id: string, asked: readonly Message[]): PendingToolCall | undefined {
    const sent = asked.flatMap(({ toolCalls }) => toolCalls).find((call) => call.id === id);
    return this.#latest.find(({ name, message, call }) => name === sent?.name && message.results[call] === undefined);
  }

  /** Some agents start their ids again in every turn, or leave them empty: the latest calls are the ones that wait. */
  #opened(interaction: number, place: number | 'answer', calls: readonly ToolCall[]): ShownMessage {
    const message: ShownMessage = { place, results: calls.map(() => undefined) };
    const open = calls.map(({ name }, call): PendingToolCall => ({ interaction, message, call, name }));
    for (const { id } of calls) {
      const waiting = open.filter(({ call }) => calls[call]?.id === id);
      this.#open.set(id, waiting);
    }
    if (open.length > 0) this.#latest = open;
    return message;
  }
}

/** A script or a frame has no answer of its own; of a call of a model it is told that there is none. */
function hasResponse({ kind, response }: Interaction): boolean {
  return response !== undefined || kind === 'http' || kind === 'llm' || kind === 'embedding';
}
