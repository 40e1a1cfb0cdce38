import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isDriftState, type ShownDrift, TRANSCRIPT_DRIFTED } from '../../../src/protocol/transcriptDrift';
import type { TranscriptPeer } from '../useTranscript';

/** A drift with its place in what the host told, by which it is mended. */
export interface PlacedDrift extends ShownDrift {
  readonly place: number;
}

export const DriftsContext = createContext<readonly PlacedDrift[]>([]);

/** Where the last runs have drifted from this tape, as the host says. */
export function useDriftEvents(peer: TranscriptPeer): readonly PlacedDrift[] {
  const [drifts, setDrifts] = useState<readonly PlacedDrift[]>([]);
  useEffect(
    () =>
      peer.on(TRANSCRIPT_DRIFTED, isDriftState, ({ drifts: next }) =>
        setDrifts(next.map((drift, place) => ({ ...drift, place }))),
      ),
    [peer],
  );
  return drifts;
}

export function useDrifts(): readonly PlacedDrift[] {
  return useContext(DriftsContext);
}
