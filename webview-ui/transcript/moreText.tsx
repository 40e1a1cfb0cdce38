import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { TranscriptEntry } from '../../src/core/transcript/transcript';
import { useActions } from './actions';
import { formatCount } from './facts';
import type { EntryView } from './viewModel';

interface MoreTextProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  readonly part: string;
  /** How much of the text there is already. */
  readonly shown: number;
}

/** The rest of a text that is too long to be sent at once, slice by slice. */
export function MoreText({ view: { interaction, position }, entry, part, shown }: MoreTextProps): VNode | null {
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
