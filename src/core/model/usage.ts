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

/** The counts that only some providers report. */
export const USAGE_DETAILS = [
  'cachedTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof Usage)[];

/** The counts of two responses, added up. A detail that neither reports stays absent. */
export function addUsage(left: Usage, right: Usage): Usage {
  const sum = (name: keyof Usage): number => (left[name] ?? 0) + (right[name] ?? 0);
  const details = USAGE_DETAILS.filter((name) => left[name] !== undefined || right[name] !== undefined);
  return {
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    totalTokens: sum('totalTokens'),
    ...Object.fromEntries(details.map((name) => [name, sum(name)])),
  };
}
