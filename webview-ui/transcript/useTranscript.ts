import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { RpcPeer } from '../../src/protocol/rpc';
import {
  isTranscriptGrowth,
  isTranscriptState,
  TRANSCRIPT_CHANGED,
  TRANSCRIPT_GREW,
  type TranscriptHost,
  type TranscriptState,
} from '../../src/protocol/transcript';
import { BodyStore } from './bodyStore';
import { type Opening, takeNews } from './news';

/** The webview calls the host; the host only sends events. */
export type TranscriptPeer = RpcPeer<Readonly<Record<never, never>>, TranscriptHost>;

/** What the host says of the tape, now and after every change, and the interactions that are looked at. */
export function useTranscript(
  peer: TranscriptPeer,
  onFailure: (error: unknown) => void,
): { readonly state: TranscriptState | Opening; readonly bodies: BodyStore } {
  const [state, take] = useReducer(takeNews, { type: 'opening' });
  const bodies = useMemo(
    () => new BodyStore((interactions) => peer.call('bodies', { interactions }), onFailure),
    [peer],
  );
  useEffect(() => {
    const stops = [
      peer.on(TRANSCRIPT_CHANGED, isTranscriptState, (changed) => {
        take(changed);
        bodies.refresh();
      }),
      peer.on(TRANSCRIPT_GREW, isTranscriptGrowth, (growth) => {
        take({ type: 'grew', growth });
        bodies.refresh(growth.joined);
      }),
    ];
    peer.call('open', undefined).then(take, (error: unknown) => {
      take({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      for (const stop of stops) stop();
    };
  }, [peer]);
  return { state, bodies };
}
