import type { UsageChange } from '../model/change';
import type { Usage } from '../model/usage';

const COUNTS: readonly (readonly [name: keyof Usage, label: string])[] = [
  ['promptTokens', 'in'],
  ['completionTokens', 'out'],
  ['cachedTokens', 'cached'],
  ['cacheWriteTokens', 'written to the cache'],
  ['cacheWrite1hTokens', 'written for an hour'],
  ['reasoningTokens', 'reasoning'],
];

/** The counts that changed, on one line: "tokens 1,204 → 1,310 in, 17 → 26 out". */
export function usageText({ before, after }: UsageChange): string {
  const parts = COUNTS.flatMap(([name, label]) => {
    const [old, now] = [before?.[name], after?.[name]];
    if ((old ?? 0) === (now ?? 0)) return [];
    const sides = [before && (old ?? 0), after && (now ?? 0)].filter((count) => count !== undefined);
    return [`${sides.map((count) => count.toLocaleString('en')).join(' → ')} ${label}`];
  });
  const what = after === undefined ? 'tokens gone' : 'tokens';
  return parts.length === 0 ? 'total tokens' : `${what} ${parts.join(', ')}`;
}
