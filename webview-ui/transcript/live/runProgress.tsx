import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { RunProgress } from '../../../src/contracts/transcript/transcriptEvents';
import { message, t } from '../../../src/core/text/l10n';

/** The progress of a run on this tape; undefined while there is none. */
export const RunProgressContext = createContext<RunProgress | undefined>(undefined);

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
