import { counted } from '../../core/text/counts';
import type { HiddenInteraction } from './hidden';

/** How many OpenAI streams were recorded whose tokens are unknown, because they were not asked for. */
export function streamsWithoutUsage(recorded: readonly HiddenInteraction[]): number {
  return recorded.filter(({ kind, http, request, response }) => {
    const isChat = kind === 'llm' && /\/chat\/completions(?:$|\?)/.test(http?.url ?? '');
    const hasNone = response !== undefined && response.usage === undefined && response.error === undefined;
    return isChat && request?.params.stream === true && hasNone;
  }).length;
}

/** What to do about them; undefined if there are none. */
export function usageAdvice(recorded: readonly HiddenInteraction[]): string | undefined {
  const count = streamsWithoutUsage(recorded);
  if (count === 0) return undefined;
  return counted(
    count,
    '{0} recorded stream has no token counts. Ask for them with stream_options={"include_usage": true}; in LangChain, with stream_usage=True.',
    '{0} recorded streams have no token counts. Ask for them with stream_options={"include_usage": true}; in LangChain, with stream_usage=True.',
  );
}
