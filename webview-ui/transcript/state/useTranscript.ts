import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { RpcPeer } from '../../../src/protocol/rpc';
import {
  isTranscriptGrowth,
  isTranscriptState,
  TRANSCRIPT_CHANGED,
  TRANSCRIPT_GROWN,
  type TranscriptGrowth,
  type TranscriptHost,
  type TranscriptOverview,
  type TranscriptState,
} from '../../../src/protocol/transcript';
import { BodyStore } from './bodyStore';

/** The webview calls the host; the host only sends events. */
export type TranscriptPeer = RpcPeer<Readonly<Record<never, never>>, TranscriptHost>;

/** What the host says of the tape, now and after every change, and the interactions that are looked at. */
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

/** What the page is told: a tape, or why there is none, or that more of it has been read. */
export type TranscriptUpdate =
  | TranscriptState
  | OpeningState
  | { readonly type: 'grew'; readonly growth: TranscriptGrowth };

/**
 * What is known after some news. Of a tape that has changed, what was known of its end stays until that has been read
 * again: a reader who is there while it is recorded on is not sent back.
 */
export function transcriptReducer(
  state: TranscriptState | OpeningState,
  news: TranscriptUpdate,
): TranscriptState | OpeningState {
  if (news.type === 'grew') return withGrowth(state, news.growth);
  if (news.type !== 'transcript' || state.type !== 'transcript') return news;
  return { type: 'transcript', transcript: withInteractions(news.transcript, 0, news.transcript, state.transcript) };
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

/** A transcript with new interactions from a place on, and what was known around them. */
function withInteractions(
  transcript: TranscriptOverview,
  from: number,
  { interactions }: Pick<TranscriptOverview, 'interactions'>,
  known: TranscriptOverview,
): TranscriptOverview {
  const end = known.interactions.slice(from + interactions.length, transcript.length);
  return { ...transcript, interactions: [...known.interactions.slice(0, from), ...interactions, ...end] };
}
