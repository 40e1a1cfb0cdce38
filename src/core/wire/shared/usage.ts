import { asCount, omitUndefined } from '../../json/fields';
import type { Json } from '../../json/json';
import type { Usage } from '../../model/usage';

/** Token counts as found in a response, unvalidated. */
interface ReportedCounts {
  readonly prompt: Json | undefined;
  readonly completion?: Json | undefined;
  readonly total?: Json | undefined;
  readonly cached?: Json | undefined;
  readonly cacheWrite?: Json | undefined;
  readonly reasoning?: Json | undefined;
  /** Counts that are not part of `prompt` or `completion`, such as Anthropic's cached tokens and Gemini's thoughts. */
  readonly additional?: readonly (Json | undefined)[];
}

/** The reported counts; undefined if there are none. A missing total is the sum. */
export function usageFromCounts({
  prompt,
  completion,
  total,
  cached,
  cacheWrite,
  reasoning,
  additional = [],
}: ReportedCounts): Usage | undefined {
  const counts = [prompt, completion, total].map(asCount);
  if (counts.every((count) => count === undefined)) return undefined;
  const [promptTokens = 0, completionTokens = 0] = counts;
  const sum = [promptTokens, completionTokens, ...additional.map(asCount)].reduce<number>(
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
