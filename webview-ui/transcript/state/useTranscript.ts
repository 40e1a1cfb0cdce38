import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { Connected } from '../../../src/contracts/contract';
import type {
  TranscriptGrowth,
  TranscriptOverview,
  TranscriptState,
  transcriptPage,
} from '../../../src/contracts/transcript/transcript';
import { BodyStore } from './bodyStore';

export type TranscriptPeer = Connected<typeof transcriptPage>;

/** The tape as the host shows it, now and after every change, with the store of its interactions. */
export function useTranscript(
  host: TranscriptPeer,
  onFailure: (error: unknown) => void,
): { readonly state: TranscriptState | OpeningState; readonly bodies: BodyStore } {
  const [state, take] = useReducer(transcriptReducer, { type: 'opening' });
  const bodies = useMemo(() => new BodyStore((interactions) => host.calls.bodies({ interactions }), onFailure), [host]);
  useEffect(() => {
    let last: TranscriptState | undefined;
    // Both are taken as they arrive: growth that overtook its transcript, which waits for a page to be drawn, would be lost.
    const stops = [
      host.state.subscribe(({ transcript }) => {
        if (transcript === undefined || transcript === last) return;
        last = transcript;
        take(transcript);
        // Of a file that is no tape any more there are none, as the page says.
        if (transcript.type === 'transcript') bodies.refresh();
      }),
      host.on('grew', (growth) => {
        take({ type: 'grew', growth });
        bodies.refresh(growth.joined);
      }),
    ];
    host.calls.open(undefined).catch((error: unknown) => {
      take({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      for (const stop of stops) stop();
    };
  }, [host]);
  return { state, bodies };
}

type OpeningState = { readonly type: 'opening' } | { readonly type: 'failed'; readonly message: string };

/** A report of the host: a tape, or why there is none, or that more of it has been read. */
type TranscriptUpdate = TranscriptState | OpeningState | { readonly type: 'grew'; readonly growth: TranscriptGrowth };

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
