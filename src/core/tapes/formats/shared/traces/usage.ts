import { asRecord } from '../../../../json/fields';
import type { Json } from '../../../../json/json';
import type { Usage } from '../../../../model/usage';
import { usageFromCounts } from '../../../../wire/shared/usage';

/** Reads token counts under the names of any provider or tracing SDK; undefined if there are none. */
export function readTraceUsage(counts: Json | undefined): Usage | undefined {
  const usage = asRecord(counts);
  const input = asRecord(
    usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details ?? usage.inputTokenDetails,
  );
  const output = asRecord(
    usage.completion_tokens_details ??
      usage.output_tokens_details ??
      usage.output_token_details ??
      usage.outputTokenDetails,
  );
  return usageFromCounts({
    prompt: usage.prompt_tokens ?? usage.input_tokens ?? usage.promptTokens ?? usage.inputTokens ?? usage.input,
    completion:
      usage.completion_tokens ?? usage.output_tokens ?? usage.completionTokens ?? usage.outputTokens ?? usage.output,
    total: usage.total_tokens ?? usage.totalTokens ?? usage.total,
    cached:
      input.cached_tokens ??
      input.cache_read ??
      input.cacheReadTokens ??
      usage.cachedInputTokens ??
      usage.input_cached_tokens ??
      usage.input_cache_read,
    cacheWrite:
      input.cache_write_tokens || input.cache_creation || input.cacheWriteTokens || usage.input_cache_creation,
    reasoning:
      output.reasoning_tokens ??
      output.reasoning ??
      output.reasoningTokens ??
      usage.reasoningTokens ??
      usage.output_reasoning_tokens ??
      usage.output_reasoning,
  });
}
