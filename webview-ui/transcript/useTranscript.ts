import { useEffect, useState } from 'preact/hooks';
import type { RpcPeer } from '../../src/protocol/rpc';
import {
  isTranscriptState,
  TRANSCRIPT_CHANGED,
  type TranscriptHost,
  type TranscriptState,
} from '../../src/protocol/transcript';

/** The webview calls the host; the host only sends events. */
export type TranscriptPeer = RpcPeer<Readonly<Record<never, never>>, TranscriptHost>;

export type Opening = { readonly type: 'opening' } | { readonly type: 'failed'; readonly message: string };

/** What the host says of the tape, now and after every change. */
export function useTranscript(peer: TranscriptPeer): TranscriptState | Opening {
  const [state, setState] = useState<TranscriptState | Opening>({ type: 'opening' });
  useEffect(() => {
    const stop = peer.on(TRANSCRIPT_CHANGED, isTranscriptState, setState);
    peer.call('open', undefined).then(setState, (error: unknown) => {
      setState({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    });
    return stop;
  }, [peer]);
  return state;
}
