import type { TranscriptGrowth, TranscriptOverview, TranscriptState } from '../../src/protocol/transcript';

export type Opening = { readonly type: 'opening' } | { readonly type: 'failed'; readonly message: string };

/** What the page is told: a tape, or why there is none, or that more of it has been read. */
export type News = TranscriptState | Opening | { readonly type: 'grew'; readonly growth: TranscriptGrowth };

/**
 * What is known after some news. Of a tape that has changed, what was known of its end stays until that has been read
 * again: a reader who is there while it is recorded on is not sent back.
 */
export function takeNews(state: TranscriptState | Opening, news: News): TranscriptState | Opening {
  if (news.type === 'grew') return grown(state, news.growth);
  if (news.type !== 'transcript' || state.type !== 'transcript') return news;
  return { type: 'transcript', transcript: replaced(news.transcript, 0, news.transcript, state.transcript) };
}

function grown(state: TranscriptState | Opening, growth: TranscriptGrowth): TranscriptState | Opening {
  const { version, from, totals, problems } = growth;
  if (state.type !== 'transcript' || state.transcript.version !== version) return state;
  const { transcript } = state;
  return { type: 'transcript', transcript: replaced({ ...transcript, totals, problems }, from, growth, transcript) };
}

/** A transcript with new interactions from a place on, and what was known around them. */
function replaced(
  transcript: TranscriptOverview,
  from: number,
  { interactions }: Pick<TranscriptOverview, 'interactions'>,
  known: TranscriptOverview,
): TranscriptOverview {
  const end = known.interactions.slice(from + interactions.length, transcript.length);
  return { ...transcript, interactions: [...known.interactions.slice(0, from), ...interactions, ...end] };
}
