import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { message, t } from '../../../src/core/text/l10n';
import {
  isRunProgressState,
  type RunProgress,
  TRANSCRIPT_RUN_PROGRESS,
} from '../../../src/protocol/transcript/transcriptEvents';
import type { TranscriptPeer } from '../state/useTranscript';

export const RunProgressContext = createContext<RunProgress | undefined>(undefined);

/** The progress of a run on this tape, as the host reports it; undefined while there is none. */
export function useRunProgressEvents(peer: TranscriptPeer): RunProgress | undefined {
  const [progress, setProgress] = useState<RunProgress>();
  useEffect(
    () => peer.on(TRANSCRIPT_RUN_PROGRESS, isRunProgressState, ({ playing: next }) => setProgress(next ?? undefined)),
    [peer],
  );
  return progress;
}

function useRunProgress(): RunProgress | undefined {
  return useContext(RunProgressContext);
}

/** Marks the interaction that is being replayed, without moving the focus or the page. */
export function RunProgressMark({ interaction }: { readonly interaction: number }): VNode | null {
  const progress = useRunProgress();
  if (progress?.mode !== 'replay' || progress.interaction !== interaction) return null;
  return <span class="playing-mark">{t('Now playing')}</span>;
}

const MODE_LABELS = {
  replay: message('Replaying interaction {0}'),
  record: message('Recording interaction {0}'),
  live: message('Running live interaction {0}'),
} as const;

/** The progress of a run. The live region stays on the page, so that a screen reader announces what appears in it. */
export function RunProgressStrip(): VNode {
  const progress = useRunProgress();
  return (
    <div class="playing-place" role="status">
      {progress !== undefined && (
        <p class={`playing playing-${progress.mode}`} title={t(MODE_LABELS[progress.mode], progress.interaction + 1)}>
          <span class="playing-dot" aria-hidden="true" />
          <span>{t(MODE_LABELS[progress.mode], progress.interaction + 1)}</span>
          {progress.summary !== '' && <span class="quiet">{progress.summary}</span>}
        </p>
      )}
    </div>
  );
}
