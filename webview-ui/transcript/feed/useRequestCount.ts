import { useEffect, useReducer } from 'preact/hooks';
import type { TranscriptPeer } from '../state/useTranscript';

/** How often the host has asked the page for something, such as its help. */
export function useRequestCount(host: TranscriptPeer, event: 'fork' | 'help' | 'text'): number {
  const [requests, ask] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => host.on(event, () => ask(undefined)), [host, event]);
  return requests;
}
