import type { VNode } from 'preact';
import type { DiffPiece } from '../../../src/core/diff/diffText';
import { grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';

/** The words that were removed from a text and added to it. */
export function TextDiff({ diff }: { readonly diff: readonly DiffPiece[] }): VNode {
  return <pre class="code diff">{diff.map(renderPiece)}</pre>;
}

function renderPiece(part: DiffPiece): VNode | string {
  if (part.type === 'skipped')
    return <span class="diff-skipped"> {t('… {0} characters …', grouped(part.length))} </span>;
  if (part.type === 'added') return <ins>{part.text}</ins>;
  if (part.type === 'removed') return <del>{part.text}</del>;
  return part.text;
}
