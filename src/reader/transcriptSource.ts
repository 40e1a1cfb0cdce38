import type { Span } from '../core/text/source';
import type { PlaybackStep } from '../core/transcript/playback';
import type { TranscriptMatches } from '../core/transcript/searchTranscript';
import type { InteractionBody } from '../core/transcript/transcript';
import type { TextPlace, TranscriptGrowth, TranscriptQuery, TranscriptState } from '../protocol/transcript';

/** What the page of a transcript is told from, wherever the tape is read. See `TranscriptHost` for what each is. */
export interface TranscriptSource {
  state(): Promise<TranscriptState>;
  /** Undefined when all has been read and told. */
  grow(): Promise<TranscriptGrowth | undefined>;
  bodies(interactions: readonly number[]): Promise<readonly InteractionBody[]>;
  more(place: TextPlace): Promise<string>;
  search(query: TranscriptQuery): Promise<TranscriptMatches>;
  playback(interaction: number): Promise<readonly PlaybackStep[]>;
  span(interaction: number): Promise<Span>;
  raw(interaction: number): Promise<string>;
  readOnlyReason(): Promise<string | undefined>;
}

/** Reads on to the end, for as long as it `isWanted`. */
export async function readToEnd(
  source: Pick<TranscriptSource, 'grow'>,
  isWanted: () => boolean,
  onGrowth: (growth: TranscriptGrowth) => void,
): Promise<void> {
  while (isWanted()) {
    const growth = await source.grow();
    if (growth === undefined) return;
    if (isWanted()) onGrowth(growth);
  }
}
