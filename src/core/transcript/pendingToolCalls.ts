import { digest53 } from '../hash/digest53';
import { canonicalJson } from '../json/canonicalJson';
import type { Interaction } from '../model/interaction';
import type { Message, ToolCall } from '../model/message';
import type { Continuation } from './conversations/conversationTracker';
import type { MessagePlace } from './conversations/silentChange';

/** A message that an interaction adds to the conversation, and the places of its tool calls' results. */
export interface ShownMessage {
  readonly place: number | 'response';
  /** One for each call, set when a later request brings the result. */
  readonly results: (MessagePlace | undefined)[];
  /** One for each call: the interaction with the tool or the MCP server that carried it out. */
  readonly servers: (number | undefined)[];
  /** Of an exchange with an MCP server: the interaction whose call it carries out. */
  readonly carriesOut?: number;
}

interface PendingToolCall {
  readonly interaction: number;
  readonly message: ShownMessage;
  readonly call: number;
  readonly name: string;
  readonly args: number;
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
    const { index, request, kind } = interaction;
    if (kind === 'mcp') return [this.#addExchange(interaction, onJoined)];
    const isTool = kind === 'tool';
    if (isTool) this.#carryOut(interaction, onJoined);
    const shown: ShownMessage[] = [];
    for (const place of continuation?.added ?? []) {
      const message = request?.messages[place];
      if (message === undefined) continue;
      const joined = this.#join(message, { interaction: index, message: place }, request?.messages ?? []);
      if (joined !== undefined) onJoined(joined);
      // What a tool was asked waits for no result: it has one.
      else if (isTool) shown.push({ place, results: [], servers: message.toolCalls.map(() => index) });
      else shown.push(this.#register(index, place, message.toolCalls));
    }
    // Every interaction has an entry in the transcript, even an empty one.
    if (hasResponse(interaction) || shown.length === 0)
      shown.push(this.#register(index, 'response', interaction.response?.toolCalls ?? []));
    return shown;
  }

  /** An exchange with an MCP server: the call of the model that it carries out is the same thing. */
  #addExchange(interaction: Interaction, onJoined: (interaction: number) => void): ShownMessage {
    const carriesOut = this.#carryOut(interaction, onJoined);
    return { place: 'response', results: [], servers: [], ...(carriesOut === undefined ? {} : { carriesOut }) };
  }

  /** Joins a call that a tool or a server carried out to the call of the model, if there is one. Returns the interaction of that. */
  #carryOut({ index, request }: Interaction, onJoined: (interaction: number) => void): number | undefined {
    const [call] = request?.messages[0]?.toolCalls ?? [];
    if (call === undefined) return undefined;
    const args = fingerprint(call);
    const isOpen = ({ message, call: at }: PendingToolCall) => message.servers[at] === undefined;
    const named = this.#latest.filter((one) => isOpen(one) && isNameOf(one.name, call.name));
    const found = named.find((one) => one.args === args);
    if (found === undefined) return undefined;
    found.message.servers[found.call] = index;
    onJoined(found.interaction);
    return found.interaction;
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
    const message: ShownMessage = { place, ...none(calls) };
    const pending = calls.map((one, call): PendingToolCall => {
      return { interaction, message, call, name: one.name, args: fingerprint(one) };
    });
    for (const { id } of calls) this.#pending.set(id, []);
    for (const one of pending) this.#pending.get(calls[one.call]?.id ?? '')?.push(one);
    if (pending.length > 0) this.#latest = pending;
    return message;
  }
}

function none(calls: readonly ToolCall[]): Pick<ShownMessage, 'results' | 'servers'> {
  return { results: calls.map(() => undefined), servers: calls.map(() => undefined) };
}

function fingerprint({ arguments: args }: ToolCall): number {
  return digest53(canonicalJson(args));
}

/** Clients put the server's name before a tool's: `mcp__files__read`, `files_read`. */
function isNameOf(called: string, tool: string): boolean {
  return called === tool || (called.endsWith(tool) && /[_./:-]/.test(called.at(-1 - tool.length) ?? ''));
}

/** Whether an interaction has a response entry: all kinds of requests do, even if the response is missing. */
function hasResponse({ kind, response }: Interaction): boolean {
  return response !== undefined || kind === 'http' || kind === 'llm' || kind === 'embedding';
}
