import { useEffect, useReducer } from 'preact/hooks';
import { isAnything } from '../../../src/protocol/rpc/guards';
import type {
  TRANSCRIPT_FORK,
  TRANSCRIPT_HELP,
  TRANSCRIPT_TEXT,
} from '../../../src/protocol/transcript/transcriptEvents';
import type { TranscriptPeer } from '../state/useTranscript';

/** How often the host has asked the page for something, such as its help. */
export function useRequestCount(
  peer: TranscriptPeer,
  event: typeof TRANSCRIPT_FORK | typeof TRANSCRIPT_HELP | typeof TRANSCRIPT_TEXT,
): number {
  const [requests, ask] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => peer.on(event, isAnything, () => ask(undefined)), [peer, event]);
  return requests;
}
