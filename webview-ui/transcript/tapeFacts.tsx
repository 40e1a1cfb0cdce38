import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { memo } from '../base/memo';
import { Delta } from './earlier/delta';
import { EarlierContext } from './earlier/earlier';
import { tapeFacts, withDeltas } from './facts';

/** The tape in numbers. */
export const TapeFacts = memo(({ transcript }: { readonly transcript: TranscriptOverview }): VNode => {
  const earlier = useContext(EarlierContext);
  const facts = tapeFacts(transcript);
  // While a tape is still being read its sums are those of its beginning.
  const isWhole = transcript.interactions.length === transcript.length;
  const shown = earlier !== undefined && isWhole ? withDeltas(facts, transcript, earlier.totals) : facts;
  return (
    <dl class="facts">
      {shown.map(({ name, value, note, delta }) => (
        <div key={name} title={note}>
          <dt>{name}</dt>
          <dd>
            {value}
            <Delta by={delta} />
            {note !== undefined && <span class="visually-hidden"> ({note})</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
});
