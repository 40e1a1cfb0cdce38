import type { VNode } from 'preact';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { memo } from '../base/memo';
import { tapeFacts } from './facts';

/** The tape in numbers. */
export const TapeFacts = memo(({ transcript }: { readonly transcript: TranscriptOverview }): VNode => {
  return (
    <dl class="facts">
      {tapeFacts(transcript).map(({ name, value, note }) => (
        <div key={name} title={note}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && <span class="visually-hidden"> ({note})</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
});
