import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isRunProgressState, type RunProgress, TRANSCRIPT_RUN_PROGRESS } from '../../../src/protocol/transcriptEvents';
import type { TranscriptPeer } from '../state/useTranscript';

export const RunProgressContext = createContext<RunProgress | undefined>(undefined);

/** What a run is doing with the tape, as the host says. */
export function useRunProgressEvents(peer: TranscriptPeer): RunProgress | undefined {
  const [playing, setPlaying] = useState<RunProgress>();
  useEffect(
    () => peer.on(TRANSCRIPT_RUN_PROGRESS, isRunProgressState, ({ playing: next }) => setPlaying(next ?? undefined)),
    [peer],
  );
  return playing;
}

export function useRunProgress(): RunProgress | undefined {
  return useContext(RunProgressContext);
}

/** On the interaction that is being replayed: it moves along, and takes neither focus nor scroll with it. */
export function RunProgressMark({ interaction }: { readonly interaction: number }): VNode | null {
  const playing = useRunProgress();
  if (playing?.mode !== 'replay' || playing.interaction !== interaction) return null;
  return <span class="playing-mark">Now playing</span>;
}

const MODE_LABELS = { replay: 'Replaying', record: 'Recording', live: 'Running live' } as const;

/** What a run is doing with this tape. The place is always there, so that a screen reader hears what comes into it. */
export function RunProgressStrip(): VNode {
  const playing = useRunProgress();
  return (
    <div class="playing-place" role="status">
      {playing !== undefined && (
        <p class={`playing playing-${playing.mode}`}>
          <span class="playing-dot" aria-hidden="true" />
          {MODE_LABELS[playing.mode]} interaction {playing.interaction + 1}
          {playing.summary !== '' && <span class="quiet">{playing.summary}</span>}
        </p>
      )}
    </div>
  );
}
