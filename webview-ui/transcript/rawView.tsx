import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useActions } from './actions';
import { dedent } from './dedent';
import { FoldedCode } from './foldedCode';
import type { InteractionView } from './viewModel';

const MAX_LINES = 200;

type Source = { readonly text: string } | { readonly failure: string };

/** An interaction as it stands in the file, fetched when it is asked for and again when it has changed. */
export function RawView({ view }: { readonly view: InteractionView }): VNode {
  const { raw } = useActions();
  const [source, setSource] = useState<Source>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    let current = true;
    const show = (next: Source): void => {
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
