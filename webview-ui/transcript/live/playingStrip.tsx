import type { VNode } from 'preact';
import { usePlaying } from './playing';

const DOING = { replay: 'Replaying', record: 'Recording', live: 'Running live' } as const;

/** What a run is doing with this tape. The place is always there, so that a screen reader hears what comes into it. */
export function PlayingStrip(): VNode {
  const playing = usePlaying();
  return (
    <div class="playing-place" role="status">
      {playing !== undefined && (
        <p class={`playing playing-${playing.mode}`}>
          <span class="playing-dot" aria-hidden="true" />
          {DOING[playing.mode]} interaction {playing.interaction + 1}
          {playing.summary !== '' && <span class="quiet">{playing.summary}</span>}
        </p>
      )}
    </div>
  );
}
