import type { Interaction } from '../model/interaction';

/** An interaction as printed by `inspect --json`, on which other programs rely. */
export function interactionJson({ index, kind, request, response, timing, source }: Interaction): unknown {
  const message = response && { role: 'assistant', content: response.content, toolCalls: response.toolCalls };
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
            message,
            toolCalls: response.toolCalls,
            usage: response.usage ?? null,
            finishReason: response.finishReason ?? null,
            error: response.error ?? null,
          },
    timing: timing ?? null,
    source,
  };
}
