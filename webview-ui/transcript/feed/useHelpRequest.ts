import { useEffect, useReducer } from 'preact/hooks';
import { isAnything } from '../../../src/protocol/guards';
import { TRANSCRIPT_HELP } from '../../../src/protocol/transcriptEvents';
import type { TranscriptPeer } from '../state/useTranscript';

/** How often the host has asked for the help. */
export function useHelpRequest(peer: TranscriptPeer): number {
  const [requests, ask] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => peer.on(TRANSCRIPT_HELP, isAnything, () => ask(undefined)), [peer]);
  return requests;
}
