import type { UsageChange } from '../model/change';
import type { Usage } from '../model/usage';
import { grouped } from '../text/counts';
import { joinedByCommas } from '../text/joinedByCommas';
import { message, t } from '../text/l10n';

const COUNTS: readonly (readonly [name: keyof Usage, words: string])[] = [
  ['promptTokens', message('{0} in')],
  ['completionTokens', message('{0} out')],
  ['cachedTokens', message('{0} cached')],
  ['cacheWriteTokens', message('{0} written to the cache')],
  ['cacheWrite1hTokens', message('{0} written for an hour')],
  ['reasoningTokens', message('{0} reasoning')],
];

/** The counts that changed, on one line: "tokens 1,204 → 1,310 in, 17 → 26 out". */
export function usageText({ before, after }: UsageChange): string {
  const parts = COUNTS.flatMap(([name, words]) => {
    const [old, now] = [before?.[name], after?.[name]];
    if ((old ?? 0) === (now ?? 0)) return [];
    const sides = [before && (old ?? 0), after && (now ?? 0)].filter((count) => count !== undefined);
    return [t(words, sides.map(grouped).join(' → '))];
  });
  if (parts.length === 0) return t('total tokens');
  return after === undefined ? t('tokens gone {0}', joinedByCommas(parts)) : t('tokens {0}', joinedByCommas(parts));
}
