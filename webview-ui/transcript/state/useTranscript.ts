import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { RpcPeer } from '../../../src/protocol/rpc/rpc';
import {
  isTranscriptGrowth,
  isTranscriptState,
  TRANSCRIPT_CHANGED,
  TRANSCRIPT_GROWN,
  type TranscriptGrowth,
  type TranscriptHost,
  type TranscriptOverview,
  type TranscriptState,
} from '../../../src/protocol/transcript/transcript';
import { BodyStore } from './bodyStore';

/** The webview calls the host; the host only sends events. */
export type TranscriptPeer = RpcPeer<Readonly<Record<never, never>>, TranscriptHost>;

/** The tape as the host reports it, now and after every change, with the store of its interactions. */
export function useTranscript(
  peer: TranscriptPeer,
  onFailure: (error: unknown) => void,
): { readonly state: TranscriptState | OpeningState; readonly bodies: BodyStore } {
  const [state, take] = useReducer(transcriptReducer, { type: 'opening' });
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
      peer.on(TRANSCRIPT_GROWN, isTranscriptGrowth, (growth) => {
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

export type OpeningState = { readonly type: 'opening' } | { readonly type: 'failed'; readonly message: string };

/** A report of the host: a tape, or why there is none, or that more of it has been read. */
export type TranscriptUpdate =
  | TranscriptState
  | OpeningState
  | { readonly type: 'grew'; readonly growth: TranscriptGrowth };

/**
 * The state after an update. When a tape has changed, the interactions at its end stay until they have been read again, so
 * that a user who is there while recording goes on is not sent back.
 */
export function transcriptReducer(
  state: TranscriptState | OpeningState,
  update: TranscriptUpdate,
): TranscriptState | OpeningState {
  if (update.type === 'grew') return withGrowth(state, update.growth);
  if (update.type !== 'transcript' || state.type !== 'transcript') return update;
  const { transcript } = update;
  return { type: 'transcript', transcript: withInteractions(transcript, 0, transcript, state.transcript) };
}

function withGrowth(state: TranscriptState | OpeningState, growth: TranscriptGrowth): TranscriptState | OpeningState {
  const { version, from, totals, problems } = growth;
  if (state.type !== 'transcript' || state.transcript.version !== version) return state;
  const { transcript } = state;
  return {
    type: 'transcript',
    transcript: withInteractions({ ...transcript, totals, problems }, from, growth, transcript),
  };
}

/** A transcript with new interactions from an index on, between those that were known before. */
function withInteractions(
  transcript: TranscriptOverview,
  from: number,
  { interactions }: Pick<TranscriptOverview, 'interactions'>,
  known: TranscriptOverview,
): TranscriptOverview {
  const end = known.interactions.slice(from + interactions.length, transcript.length);
  return { ...transcript, interactions: [...known.interactions.slice(0, from), ...interactions, ...end] };
}
