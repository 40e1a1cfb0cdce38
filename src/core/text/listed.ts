import { t } from './l10n';

/** Texts one after the other, as in `3 in, 2 out`, with the comma of the language. */
export function listed(texts: readonly string[]): string {
  return texts.join(t(', '));
}
