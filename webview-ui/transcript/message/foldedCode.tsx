import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isJsonStructure, tokenizeJson } from '../../../src/core/json/formatJson';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';
import { foldText } from '../../base/fold';
import { memo } from '../../base/memo';
import { formatCount } from '../../base/numbers';
import { useActions } from '../state/actions';
import type { EntryView } from '../state/viewModel';

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

/** Beyond this many characters colours cost more than they tell. */
const MAX_COLOURED = 60_000;

interface CodeTextProps {
  readonly text: string;
  /** Is this JSON, or the beginning of some? */
  readonly json: boolean;
}

/** Recorded text in a fixed-width face; JSON with its tokens in the colours the debugger shows values in. */
export const CodeText = memo(({ text, json }: CodeTextProps): VNode => {
  if (!json || text.length > MAX_COLOURED) return <>{text}</>;
  return (
    <>
      {tokenizeJson(text).map(({ kind, text: token }) =>
        kind === 'plain' ? token : <span class={`json-${kind}`}>{token}</span>,
      )}
    </>
  );
});

interface RemainingTextProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  readonly part: string;
  /** How much of the text there is already. */
  readonly shown: number;
}

/** The rest of a text that is too long to be sent at once, slice by slice. */
export function RemainingText({
  view: { interaction, position },
  entry,
  part,
  shown,
}: RemainingTextProps): VNode | null {
  const { more, revealSource } = useActions();
  const [slices, setSlices] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  const whole = entry.cuts?.[part];
  if (whole === undefined) return null;
  const start = slices.reduce((sum, slice) => sum + slice.length, shown);
  const fetchMore = (): void => {
    more({ interaction, entry: position, part, start }).then(
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
      {start < whole && (
        <p class="quiet">
          {`${formatCount(start)} of ${formatCount(whole)} characters. `}
          <button type="button" class="link" onClick={fetchMore}>
            Show more
          </button>
          {' or '}
          <button type="button" class="link" onClick={() => revealSource(interaction)}>
            open the source
          </button>
        </p>
      )}
      {failure !== undefined && <p class="quiet">{failure}</p>}
    </div>
  );
}
