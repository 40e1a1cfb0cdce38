import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { EarlierNumbers } from '../../../src/core/review/earlierNumbers';
import type { Counted } from '../../../src/core/review/measures';
import { type EarlierTold, isEarlierTold, TRANSCRIPT_EARLIER } from '../../../src/protocol/transcriptEarlier';
import type { TranscriptPeer } from '../useTranscript';

export const EarlierContext = createContext<EarlierNumbers | undefined>(undefined);

/** What this version of the tape took before it changed, where the host can tell. */
export function useEarlierEvents(peer: TranscriptPeer, version: number | undefined): EarlierNumbers | undefined {
  const [told, setTold] = useState<EarlierTold>();
  useEffect(() => peer.on(TRANSCRIPT_EARLIER, isEarlierTold, setTold), [peer]);
  return told?.version === version ? (told?.earlier ?? undefined) : undefined;
}

/** Of an interaction; null where it is new, undefined where nobody can tell. */
export function useEarlier(interaction: number): Counted | null | undefined {
  return useContext(EarlierContext)?.interactions[interaction];
}
