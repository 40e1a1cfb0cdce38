import type { Json } from '../json/json';
import type { Usage } from '../tapes/tape';
import { countOf, present } from './fields';

/** Token counts under the names that a provider has for them. */
export interface Counts {
  readonly prompt: Json | undefined;
  readonly completion?: Json | undefined;
  readonly total?: Json | undefined;
  readonly cached?: Json | undefined;
  readonly cacheWrite?: Json | undefined;
  readonly reasoning?: Json | undefined;
  /** Counts that the provider does not include in the others: Anthropic's cached tokens, Gemini's thoughts. */
  readonly apart?: readonly (Json | undefined)[];
}

/** The counts as they were reported; undefined where there are none. A total that was left out is the sum. */
export function usageOf({
  prompt,
  completion,
  total,
  cached,
  cacheWrite,
  reasoning,
  apart = [],
}: Counts): Usage | undefined {
  const counts = [prompt, completion, total].map(countOf);
  if (counts.every((count) => count === undefined)) return undefined;
  const [promptTokens = 0, completionTokens = 0] = counts;
  const sum = [promptTokens, completionTokens, ...apart.map(countOf)].reduce<number>(
    (all, count) => all + (count ?? 0),
    0,
  );
  return present({
    promptTokens,
    completionTokens,
    totalTokens: counts[2] ?? sum,
    cachedTokens: countOf(cached),
    cacheWriteTokens: countOf(cacheWrite),
    reasoningTokens: countOf(reasoning),
  });
}
