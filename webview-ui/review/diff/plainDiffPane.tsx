import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type DiffBlock, plainDiff } from '../../../src/core/diff/plainDiff';
import type { Change } from '../../../src/core/model/change';
import { counted } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const LABELS = { same: '', removed: message('removed: '), added: message('added: ') } as const;

interface PlainDiffPaneProps {
  readonly change: Change;
  readonly folded: boolean;
  onUnfold(): void;
}

/** A diff as text, used where Monaco fails. */
export function PlainDiffPane({ change, folded, onUnfold }: PlainDiffPaneProps): VNode {
  const { before, after, title } = change;
  const blocks = useMemo(() => plainDiff(before, after, folded), [before, after, folded]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section class="diff plain-diff" tabIndex={0} aria-label={t('{0}, as text', title)}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} onUnfold={onUnfold} />
      ))}
    </section>
  );
}

function Block({ block, onUnfold }: { readonly block: DiffBlock; onUnfold(): void }): VNode {
  if (block.kind === 'folded')
    return (
      <button type="button" class="folded quiet" title={t('Show all lines (U)')} onClick={onUnfold}>
        {counted(block.lines, '{0} unchanged line', '{0} unchanged lines')}
      </button>
    );
  return (
    <pre class={`lines ${block.kind}`} data-sign={SIGNS[block.kind]}>
      <span class="visually-hidden">{t(LABELS[block.kind])}</span>
      {block.pieces.map(({ text, marked }) => (marked ? <mark>{text}</mark> : text))}
    </pre>
  );
}
