import type { Interaction } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';
import type { Usage } from '../model/usage';
import { costOfCall } from '../prices/cost';
import type { PriceTable } from '../prices/priceTable';

/** An interaction as printed by `inspect --json`, on which other programs rely. Null is what the format does not store. */
export interface PrintedInteraction extends Pick<Interaction, 'index' | 'kind' | 'source'> {
  readonly model: string | null;
  readonly request: Pick<ChatRequest, 'messages' | 'tools' | 'params'> | null;
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
