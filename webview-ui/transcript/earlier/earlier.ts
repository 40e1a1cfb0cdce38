import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { MeasureValues } from '../../../src/core/review/measures';
import type { PreviousTotals } from '../../../src/core/review/previousTotals';
import { type EarlierTold, isEarlierTold, TRANSCRIPT_EARLIER } from '../../../src/protocol/transcriptEarlier';
import type { TranscriptPeer } from '../useTranscript';

export const EarlierContext = createContext<PreviousTotals | undefined>(undefined);

/** What this version of the tape took before it changed, where the host can tell. */
export function useEarlierEvents(peer: TranscriptPeer, version: number | undefined): PreviousTotals | undefined {
  const [told, setTold] = useState<EarlierTold>();
  useEffect(() => peer.on(TRANSCRIPT_EARLIER, isEarlierTold, setTold), [peer]);
  return told?.version === version ? (told?.earlier ?? undefined) : undefined;
}

/** Of an interaction; null where it is new, undefined where nobody can tell. */
export function useEarlier(interaction: number): MeasureValues | null | undefined {
  return useContext(EarlierContext)?.interactions[interaction];
}
