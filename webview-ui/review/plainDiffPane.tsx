import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Change } from '../../src/core/review/changes';
import { type DiffBlock, plainDiff } from './plainDiff';
import { count } from './words';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const SAYS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** A change as text, for when Monaco cannot be used. */
export function PlainDiffPane({ change }: { readonly change: Change }): VNode {
  const blocks = useMemo(() => plainDiff(change.before, change.after), [change.before, change.after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so the keyboard has to reach it
    <section class="diff plain-diff" tabIndex={0} aria-label={`${change.title}, as text`}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </section>
  );
}

function Block({ block }: { readonly block: DiffBlock }): VNode {
  if (block.kind === 'folded') return <p class="folded quiet">{count(block.lines, 'unchanged line')}</p>;
  return (
    <pre class={`lines ${block.kind}`} data-sign={SIGNS[block.kind]}>
      <span class="visually-hidden">{SAYS[block.kind]}</span>
      {block.pieces.map(({ text, marked }) => (marked ? <mark>{text}</mark> : text))}
    </pre>
  );
}
