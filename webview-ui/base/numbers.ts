import type { Usage } from '../../src/core/model/usage';

const MINUS = '\u2212';

/** "+12", "\u22123"; undefined where nothing changed or a side is unknown. */
export function countDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || now === before) return undefined;
  return signed(now - before, '');
}

/** "+40%"; undefined where the change rounds to 0%. */
export function shareDelta(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return percent === 0 ? undefined : signed(percent, '%');
}

function signed(value: number, unit: string): string {
  return `${value < 0 ? MINUS : '+'}${DELTA_FORMAT.format(Math.abs(value))}${unit}`;
}

const DELTA_FORMAT = new Intl.NumberFormat('en-US');

/** The tokens of one response: "1,204 in, 87 out", "1,204 in (85% cached), 87 out". */
export function formatUsage({ promptTokens, completionTokens, cachedTokens }: Usage): string {
  // Shorter prompts are not cached by anyone.
  const isTold = cachedTokens !== undefined && promptTokens >= 1024;
  const cached = isTold ? ` (${shareText(cachedTokens, promptTokens)} cached)` : '';
  return `${formatCount(promptTokens)} in${cached}, ${formatCount(completionTokens)} out`;
}

/** "85%"; what is not all of it is at most 99%. */
export function shareText(part: number, whole: number): string {
  return `${Math.floor((100 * part) / Math.max(part, whole))}%`;
}

/** All token counts of a response, for a tooltip. */
export function formatUsageDetails({ totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): string {
  const more: readonly [number | undefined, string][] = [
    [totalTokens, 'tokens in total'],
    [cachedTokens, 'read from the cache'],
    [cacheWriteTokens, 'written to the cache'],
    [reasoningTokens, 'for reasoning'],
  ];
  return more.flatMap(([count, what]) => (count ? `${formatCount(count)} ${what}` : [])).join(', ');
}

/** Shared, because creating a formatter takes longer than using it a hundred times. */
const COUNT_FORMAT = new Intl.NumberFormat('en-US');

export function formatCount(count: number): string {
  return COUNT_FORMAT.format(count);
}

/** "0.8 s", "340 ms", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
