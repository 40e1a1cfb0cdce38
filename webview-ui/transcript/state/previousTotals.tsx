import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { MeasureValues } from '../../../src/core/review/measures';
import type { PreviousTotals } from '../../../src/core/review/previousTotals';
import {
  isPreviousTotalsUpdate,
  type PreviousTotalsUpdate,
  TRANSCRIPT_PREVIOUS_TOTALS,
} from '../../../src/protocol/transcriptEvents';
import type { TranscriptPeer } from './useTranscript';

export const PreviousTotalsContext = createContext<PreviousTotals | undefined>(undefined);

/** What this version of the tape took before it changed, where the host can tell. */
export function usePreviousTotalsEvents(peer: TranscriptPeer, version: number | undefined): PreviousTotals | undefined {
  const [told, setTold] = useState<PreviousTotalsUpdate>();
  useEffect(() => peer.on(TRANSCRIPT_PREVIOUS_TOTALS, isPreviousTotalsUpdate, setTold), [peer]);
  return told?.version === version ? (told?.earlier ?? undefined) : undefined;
}

/** Of an interaction; null where it is new, undefined where nobody can tell. */
export function usePreviousInteraction(interaction: number): MeasureValues | null | undefined {
  return useContext(PreviousTotalsContext)?.interactions[interaction];
}

interface DeltaProps {
  /** Such as "+12"; nothing is shown without. */
  readonly by: string | undefined;
}

/** How much more or less a number is than before the tape changed. */
export function Delta({ by }: DeltaProps): VNode | null {
  if (by === undefined || by === '') return null;
  return (
    <span class="delta">
      <span class="visually-hidden">, against the recording before: </span>
      {by}
    </span>
  );
}
