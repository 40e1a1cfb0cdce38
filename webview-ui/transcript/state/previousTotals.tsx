import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { PreviousTotalsUpdate } from '../../../src/contracts/transcript/transcriptEvents';
import type { MeasureValues } from '../../../src/core/review/measures';
import type { PreviousTotals } from '../../../src/core/review/previousTotals';
import { t } from '../../../src/core/text/l10n';

export const PreviousTotalsContext = createContext<PreviousTotals | undefined>(undefined);

/** The totals of this version of the tape before it changed, where the host has them. */
export function previousTotalsOf(
  update: PreviousTotalsUpdate | undefined,
  version: number | undefined,
): PreviousTotals | undefined {
  return update?.version === version ? (update?.earlier ?? undefined) : undefined;
}

/** The previous numbers of an interaction; null if it is new, undefined if nothing is known. */
export function usePreviousInteraction(interaction: number): MeasureValues | null | undefined {
  return useContext(PreviousTotalsContext)?.interactions[interaction];
}

interface DeltaProps {
  /** Such as "+12". Without it, nothing is shown. */
  readonly by: string | undefined;
}

/** The difference of a number from the recording before. */
export function Delta({ by }: DeltaProps): VNode | null {
  if (by === undefined || by === '') return null;
  return (
    <span class="delta">
      <span class="visually-hidden">{t(', compared with the previous recording: ')}</span>
      {by}
    </span>
  );
}
