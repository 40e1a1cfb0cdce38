import type { Usage } from '../../src/core/model/usage';
import { grouped } from '../../src/core/text/counts';
import { joinedByCommas } from '../../src/core/text/joinedByCommas';
import { message, t } from '../../src/core/text/l10n';

const MINUS = '\u2212';

/** "+12", "\u22123"; undefined if nothing changed or a side is unknown. */
export function countDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || now === before) return undefined;
  return signed(now - before, '');
}

/** "+40%"; undefined if the change rounds to 0%. */
export function shareDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return percent === 0 ? undefined : signed(percent, '%');
}

function signed(value: number, unit: string): string {
  return `${value < 0 ? MINUS : '+'}${grouped(Math.abs(value))}${unit}`;
}

/** The tokens of one response: "1,204 in, 87 out", "1,204 in (85% cached), 87 out". */
export function formatUsage({ promptTokens, completionTokens, cachedTokens }: Usage): string {
  // Shorter prompts are not cached by anyone.
  const isTold = cachedTokens !== undefined && promptTokens >= 1024;
  const [prompt, completion] = [formatCount(promptTokens), formatCount(completionTokens)];
  if (!isTold) return t('{0} in, {1} out', prompt, completion);
  return t('{0} in ({1} cached), {2} out', prompt, shareText(cachedTokens, promptTokens), completion);
}

/** "85%"; anything less than all of it is at most 99%. */
export function shareText(part: number, whole: number): string {
  return `${Math.floor((100 * part) / Math.max(part, whole))}%`;
}

/** All token counts of a response, for a tooltip. */
export function formatUsageDetails({ totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): string {
  const more: readonly [number | undefined, string][] = [
    [totalTokens, message('{0} tokens in total')],
    [cachedTokens, message('{0} read from the cache')],
    [cacheWriteTokens, message('{0} written to the cache')],
    [reasoningTokens, message('{0} for reasoning')],
  ];
  return joinedByCommas(more.flatMap(([count, words]) => (count ? t(words, formatCount(count)) : [])));
}

export const formatCount = grouped;

/** "0.8 s", "340 ms", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return t('{0} ms', Math.round(ms));
  if (ms < 60_000) return t('{0} s', (ms / 1000).toFixed(ms < 10_000 ? 1 : 0));
  return t('{0} min {1} s', Math.floor(ms / 60_000), Math.round((ms % 60_000) / 1000));
}
