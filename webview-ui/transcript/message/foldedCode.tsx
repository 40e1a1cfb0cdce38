import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isJsonStructure } from '../../../src/core/json/formatJson';
import { t } from '../../../src/core/text/l10n';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';
import type { CodeLanguage } from '../../base/code/codeLanguage';
import { CodeText } from '../../base/code/codeText';
import { foldText } from '../../base/fold';
import { formatCount } from '../../base/numbers';
import { sentence } from '../../base/sentence';
import { useActions } from '../state/actions';
import type { EntryView } from '../state/viewModel';

interface FoldedCodeProps {
  /** The id of the part, for the search. */
  readonly part: string;
  readonly text: string;
  readonly maxLines: number;
  readonly open: boolean;
  /** Of code; JSON is recognised. */
  readonly language?: CodeLanguage | undefined;
  /** The message of the text, where there may be more of it than has been sent. */
  readonly view?: EntryView;
  readonly entry?: TranscriptEntry;
  onOpen(): void;
}

/** A recorded text as code, folded where it is long. */
export function FoldedCode({ part, text, maxLines, open, language, view, entry, onOpen }: FoldedCodeProps): VNode {
  const isCut = entry?.cuts?.[part] !== undefined;
  const json = useMemo(() => (isCut ? /^\s*[{[]/.test(text) : isJsonStructure(text)), [text, isCut]);
  const { shown, label } = open ? { shown: text } : foldText(text, maxLines);
  return (
    <>
      <pre class="code" data-part={part}>
        <CodeText text={shown} language={language ?? (json ? 'json' : undefined)} />
      </pre>
      {label !== undefined && <ShowAll label={label} onOpen={onOpen} />}
      {label === undefined && view !== undefined && entry !== undefined && (
        <RemainingText view={view} entry={entry} part={part} shown={text.length} />
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

interface RemainingTextProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  readonly part: string;
  /** The length of the text that is shown already, in UTF-16 units. */
  readonly shown: number;
}

/** The rest of a text that is too long to be sent at once, loaded slice by slice. */
export function RemainingText({ view, entry, part, shown }: RemainingTextProps): VNode | null {
  const { queries, revealSource } = useActions();
  const [slices, setSlices] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  const length = entry.cuts?.[part];
  if (length === undefined) return null;
  const { interaction, position } = view;
  const start = slices.reduce((sum, slice) => sum + slice.length, shown);
  const loadMore = (): void => {
    queries.more({ interaction, entry: position, part, start }).then(
      (slice) => setSlices([...slices, slice]),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <div class="more-text">
      {slices.map((slice, index) => (
        <pre key={index} class="code slice">
          {slice}
        </pre>
      ))}
      {start < length && (
        <MoreText start={start} length={length} onMore={loadMore} onSource={() => revealSource({ interaction })} />
      )}
      {failure !== undefined && <p class="quiet">{failure}</p>}
    </div>
  );
}

interface MoreTextProps {
  readonly start: number;
  readonly length: number;
  onMore(): void;
  onSource(): void;
}

function MoreText({ start, length, onMore, onSource }: MoreTextProps): VNode {
  return (
    <p class="quiet">
      {t('{0} of {1} characters.', formatCount(start), formatCount(length))}{' '}
      {sentence(
        '{0} or {1}',
        <button type="button" class="link" onClick={onMore}>
          {t('Show More')}
        </button>,
        <button type="button" class="link" onClick={onSource}>
          {t('open the source')}
        </button>,
      )}
    </p>
  );
}
