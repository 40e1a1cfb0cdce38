import type { Interaction } from '../model/interaction';
import type { ChatRequest, ChatResponse, Message } from '../model/message';
import type { Usage } from '../model/usage';
import { costOfCall } from '../prices/cost';
import type { PriceTable } from '../prices/priceTable';

interface PrintedRequest extends Pick<ChatRequest, 'messages' | 'tools' | 'params'> {
  /** Before `messages` are the first so many of the request of an earlier interaction, where the file, too, has them once. */
  readonly repeats?: { readonly interaction: number; readonly messages: number };
}

/** An interaction as printed by `inspect --json`, on which other programs rely. Null is what the format does not store. */
export interface PrintedInteraction extends Pick<Interaction, 'index' | 'kind' | 'source'> {
  readonly model: string | null;
  readonly request: PrintedRequest | null;
  readonly response: {
    readonly message: { readonly role: 'assistant' } & Pick<ChatResponse, 'content' | 'toolCalls'>;
    readonly toolCalls: ChatResponse['toolCalls'];
    readonly usage: Usage | null;
    readonly finishReason: string | null;
    readonly error: ChatResponse['error'] | null;
  } | null;
  readonly timing: Interaction['timing'] | null;
  /** In US dollars; null if it is not known. */
  readonly cost: number | null;
}

export function interactionJson(interaction: Interaction, prices?: PriceTable): PrintedInteraction {
  const { index, kind, request, response, timing, source } = interaction;
  return {
    index,
    kind,
    model: request?.model ?? null,
    request:
      request === undefined ? null : { messages: request.messages, tools: request.tools, params: request.params },
    response:
      response === undefined
        ? null
        : {
            message: { role: 'assistant', content: response.content, toolCalls: response.toolCalls },
            toolCalls: response.toolCalls,
            usage: response.usage ?? null,
            finishReason: response.finishReason ?? null,
            error: response.error ?? null,
          },
    timing: timing ?? null,
    cost: costOfCall(interaction, prices) ?? null,
    source,
  };
}

/**
 * All interactions of a tape. A log of an agent has each message of a conversation once, and its reader gives it to every request: printed
 * with each, a log of 4 MB were 5 GB.
 */
export function* interactionsJson(
  interactions: Iterable<Interaction>,
  prices?: PriceTable,
): Generator<PrintedInteraction> {
  const latest = new Map<Message, { readonly index: number; readonly messages: readonly Message[] }>();
  for (const interaction of interactions) {
    const printed = interactionJson(interaction, prices);
    const { request, index } = interaction;
    const first = request?.messages[0];
    const earlier = first && latest.get(first);
    if (request !== undefined && first !== undefined) latest.set(first, { index, messages: request.messages });
    if (printed.request === null || earlier === undefined) yield printed;
    else {
      const count = sharedStart(earlier.messages, printed.request.messages);
      const repeats = { interaction: earlier.index, messages: count };
      yield { ...printed, request: { repeats, ...printed.request, messages: printed.request.messages.slice(count) } };
    }
  }
}

/** How many messages at the beginning of two requests are one message of the file. */
function sharedStart(earlier: readonly Message[], later: readonly Message[]): number {
  const differing = later.findIndex((message, at) => message !== earlier[at]);
  return differing === -1 ? later.length : differing;
}
