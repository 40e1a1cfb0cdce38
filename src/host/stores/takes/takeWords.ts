import type { ListedTake } from '../../../contracts/engine/takes';
import { ageText } from '../../../core/text/age';
import { t } from '../../../core/text/l10n';

/** How long ago a take was replaced. */
export function takeName({ time }: ListedTake): string {
  const words = ageText(Math.max(0, Date.now() - time));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The known facts of a take; nothing is guessed. */
export function takeFacts({ models, size, verdict, isTape }: ListedTake): readonly string[] {
  return [
    ...(verdict === undefined ? [] : [verdict]),
    ...(isTape ? [t('same as the tape')] : []),
    ...models,
    `${Math.ceil(size / 1000).toLocaleString('en')} kB`,
  ];
}
