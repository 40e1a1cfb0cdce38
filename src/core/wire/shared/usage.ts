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
  readonly cacheWrite1h?: Json | undefined;
  readonly reasoning?: Json | undefined;
  /** Counts that are part of the prompt and not of `prompt`, such as Anthropic's cached tokens. */
  readonly besidePrompt?: readonly (Json | undefined)[];
  /** Counts that are part of the completion and not of `completion`, such as Gemini's thoughts. */
  readonly besideCompletion?: readonly (Json | undefined)[];
}

/** The reported counts as the model defines them; undefined if there are none. */
export function usageFromCounts(reported: ReportedCounts): Usage | undefined {
  const { prompt, completion, total, cached, cacheWrite, cacheWrite1h, reasoning } = reported;
  const counts = [prompt, completion, total].map(asCount);
  if (counts.every((count) => count === undefined)) return undefined;
  const [listedPrompt = 0, listedCompletion = 0, listedTotal] = counts;
  const promptTokens = listedPrompt + sumOf(reported.besidePrompt);
  const completionTokens = listedCompletion + sumOf(reported.besideCompletion);
  // Some totals are the sum of what is listed first, without what stands beside it.
  const isSum = listedTotal === undefined || listedTotal === listedPrompt + listedCompletion;
  return settledUsage({
    promptTokens,
    completionTokens,
    totalTokens: isSum ? promptTokens + completionTokens : listedTotal,
    ...omitUndefined({
      cachedTokens: asCount(cached),
      cacheWriteTokens: asCount(cacheWrite),
      cacheWrite1hTokens: asCount(cacheWrite1h) || undefined,
      reasoningTokens: asCount(reasoning),
    }),
  });
}

function sumOf(counts: readonly (Json | undefined)[] = []): number {
  return counts.reduce<number>((sum, count) => sum + (asCount(count) ?? 0), 0);
}

/** Adds what the total shows to have been counted beside the others, as some servers and older recordings do. */
export function settledUsage(usage: Usage): Usage {
  const {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedTokens = 0,
    cacheWriteTokens = 0,
    reasoningTokens = 0,
  } = usage;
  const rest = totalTokens - promptTokens - completionTokens;
  if (rest > 0 && rest === cachedTokens + cacheWriteTokens) return { ...usage, promptTokens: promptTokens + rest };
  if (rest > 0 && rest === reasoningTokens) return { ...usage, completionTokens: completionTokens + rest };
  return usage;
}

/** A positive duration in milliseconds; undefined for anything else. `perMillisecond` is how many units make one. */
export function milliseconds(value: Json | undefined, perMillisecond = 1): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value / perMillisecond : undefined;
}
