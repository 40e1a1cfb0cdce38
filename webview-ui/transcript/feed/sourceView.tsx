import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { composePattern } from '../../../src/core/text/pattern';
import { FoldedCode } from '../message/foldedCode';
import { useActions } from '../state/actions';
import type { InteractionView } from '../state/viewModel';

const MAX_LINES = 200;

type LoadedSource = { readonly text: string } | { readonly failure: string };

/** The source of an interaction, fetched again when the interaction changes. */
export function SourceView({ view }: { readonly view: InteractionView }): VNode {
  const { queries } = useActions();
  const [source, setSource] = useState<LoadedSource>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    let current = true;
    const show = (next: LoadedSource): void => {
      if (current) setSource(next);
    };
    queries.source({ interaction: view.index }).then(
      (text) => show({ text: dedent(text) }),
      (error: unknown) => show({ failure: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      current = false;
    };
  }, [queries, view]);
  if (source === undefined) return <p class="source quiet">{t('Loading the source…')}</p>;
  if ('failure' in source) return <p class="source quiet">{source.failure}</p>;
  return (
    <div class="source">
      <FoldedCode part="source" text={source.text} maxLines={MAX_LINES} open={open} onOpen={() => setOpen(true)} />
    </div>
  );
}

/** Removes the indentation that all lines but the first have from the file around them. */
export function dedent(text: string): string {
  const indents = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, indent = '']) => indent.length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return common === 0 || common === Number.POSITIVE_INFINITY
    ? text
    : text.replaceAll(composePattern(`\\n[ \\t]{${common}}`, 'g'), '\n');
}
