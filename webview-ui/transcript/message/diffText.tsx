import type { VNode } from 'preact';
import type { DiffPiece } from '../../../src/core/diff/diffText';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';

/** The words that were removed from a text and added to it. */
export function TextDiff({ diff }: { readonly diff: readonly DiffPiece[] }): VNode {
  return <pre class="code diff">{diff.map(renderPiece)}</pre>;
}

function renderPiece(part: DiffPiece): VNode | string {
  if (part.type === 'skipped')
    return <span class="diff-skipped"> {t('… {0} characters …', grouped(part.length))} </span>;
  if (part.type === 'same') return part.text;
  const Changed = part.type === 'added' ? 'ins' : 'del';
  return (
    <Changed>
      <span class="visually-hidden">{t(LABELS[part.type])}</span>
      {part.text}
    </Changed>
  );
}

/** Screen readers read over the elements. */
const LABELS = { added: message('added: '), removed: message('removed: ') } as const;
