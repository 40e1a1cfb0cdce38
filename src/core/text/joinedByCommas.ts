import { t } from './l10n';

/** Joins texts with the comma of the language, as in `3 in, 2 out`. */
export function joinedByCommas(texts: readonly string[]): string {
  return texts.join(t(', '));
}
