import type { ComponentChildren } from 'preact';
import { t } from '../../src/core/text/l10n';

/** A message in the language of the user, with elements in place of `{0}`, `{1}`. */
export function sentence(message: string, ...parts: readonly ComponentChildren[]): readonly ComponentChildren[] {
  return t(message)
    .split(/\{(\d+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]));
}
