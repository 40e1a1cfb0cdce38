import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isJsonStructure } from '../../src/core/json/formatJson';
import type { TranscriptEntry } from '../../src/core/transcript/transcript';
import { foldText } from '../base/fold';
import { CodeText } from './codeText';
import { MoreText } from './moreText';
import type { EntryView } from './viewModel';

interface FoldedCodeProps {
  /** The id of the part, for the search. */
  readonly part: string;
  readonly text: string;
  readonly maxLines: number;
  readonly open: boolean;
  /** The message that this is a text of, where there may be more of it than has been sent. */
  readonly view?: EntryView;
  readonly entry?: TranscriptEntry;
  onOpen(): void;
}

/** A recorded text as code, folded when it is long. */
export function FoldedCode({ part, text, maxLines, open, view, entry, onOpen }: FoldedCodeProps): VNode {
  const isCut = entry?.cuts?.[part] !== undefined;
  const json = useMemo(() => (isCut ? /^\s*[{[]/.test(text) : isJsonStructure(text)), [text, isCut]);
  const { shown, label } = open ? { shown: text } : foldText(text, maxLines);
  return (
    <>
      <pre class="code" data-part={part}>
        <CodeText text={shown} json={json} />
      </pre>
      {label !== undefined && <ShowAll label={label} onOpen={onOpen} />}
      {label === undefined && view !== undefined && entry !== undefined && (
        <MoreText view={view} entry={entry} part={part} shown={text.length} />
      )}
    </>
  );
}

export function ShowAll({ label, onOpen }: { readonly label: string; onOpen(): void }): VNode {
  return (
    <button type="button" class="link show-all" onClick={onOpen}>
      {label}
    </button>
  );
}
