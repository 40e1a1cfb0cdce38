import { asCount, omitUndefined } from '../../json/fields';
import type { Json } from '../../json/json';
import type { Usage } from '../../model/usage';

/** Token counts under the names that a provider has for them. */
export interface ReportedCounts {
  readonly prompt: Json | undefined;
  readonly completion?: Json | undefined;
  readonly total?: Json | undefined;
  readonly cached?: Json | undefined;
  readonly cacheWrite?: Json | undefined;
  readonly reasoning?: Json | undefined;
  /** Counts that the provider does not include in the others: Anthropic's cached tokens, Gemini's thoughts. */
  readonly additional?: readonly (Json | undefined)[];
}

/** The counts as they were reported; undefined where there are none. A total that was left out is the sum. */
export function usageFromCounts({
  prompt,
  completion,
  total,
  cached,
  cacheWrite,
  reasoning,
  additional: apart = [],
}: ReportedCounts): Usage | undefined {
  const counts = [prompt, completion, total].map(asCount);
  if (counts.every((count) => count === undefined)) return undefined;
  const [promptTokens = 0, completionTokens = 0] = counts;
  const sum = [promptTokens, completionTokens, ...apart.map(asCount)].reduce<number>(
    (all, count) => all + (count ?? 0),
    0,
  );
  return omitUndefined({
    promptTokens,
    completionTokens,
    totalTokens: counts[2] ?? sum,
    cachedTokens: asCount(cached),
    cacheWriteTokens: asCount(cacheWrite),
    reasoningTokens: asCount(reasoning),
  });
}

/** A positive duration in milliseconds; undefined for anything else. `perMillisecond` is how many units make one. */
export function milliseconds(value: Json | undefined, perMillisecond = 1): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value / perMillisecond : undefined;
}
