import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { composePattern } from '../../../src/core/text/pattern';
import { FoldedCode } from '../message/foldedCode';
import { useActions } from '../state/actions';
import type { InteractionView } from '../state/viewModel';

const MAX_LINES = 200;

type LoadedSource = { readonly text: string } | { readonly failure: string };

/** An interaction as it stands in the file, fetched when it is asked for and again when it has changed. */
export function SourceView({ view }: { readonly view: InteractionView }): VNode {
  const { raw } = useActions();
  const [source, setSource] = useState<LoadedSource>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    let current = true;
    const show = (next: LoadedSource): void => {
      if (current) setSource(next);
    };
    raw(view.index).then(
      (text) => show({ text: dedent(text) }),
      (error: unknown) => show({ failure: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      current = false;
    };
  }, [raw, view]);
  if (source === undefined) return <p class="raw quiet">Reading the source</p>;
  if ('failure' in source) return <p class="raw quiet">{source.failure}</p>;
  return (
    <div class="raw">
      <FoldedCode part="raw" text={source.text} maxLines={MAX_LINES} open={open} onOpen={() => setOpen(true)} />
    </div>
  );
}

/** Takes back the indentation that the lines after the first have from standing in a larger file. */
export function dedent(text: string): string {
  const indents = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, indent = '']) => indent.length);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return common === 0 ? text : text.replaceAll(composePattern(`\\n[ \\t]{${common}}`, 'g'), '\n');
}
