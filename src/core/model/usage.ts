/**
 * Token counts, with one meaning for every provider: prompt and completion are the total, what was read from or written to the cache is
 * within the prompt, and reasoning is within the completion.
 */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The part of `cacheWriteTokens` that is kept for an hour, which costs more. */
  readonly cacheWrite1hTokens?: number;
  readonly reasoningTokens?: number;
}
