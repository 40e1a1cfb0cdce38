import * as assert from 'node:assert/strict';
import type { TranscriptGrowth, TranscriptOverview } from '../../../../src/contracts/transcript/transcript';
import type { InteractionSummary } from '../../../../src/core/transcript/summary';
import { transcriptReducer } from '../../../../webview-ui/transcript/state/useTranscript';
import { summary } from '../transcriptFixtures';

const totals: TranscriptOverview['totals'] = {
  interactions: 0,
  toolCalls: 0,
  usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
};

function transcript(version: number, length: number, interactions: readonly InteractionSummary[]) {
  return {
    type: 'transcript' as const,
    transcript: {
      version,
      length,
      interactions,
      name: 'tape',
      format: 'mofa' as const,
      formatLabel: 'MoFA tape',
      family: 'conversation' as const,
      totals,
      problems: [],
    },
  };
}

function grew(version: number, from: number, interactions: readonly InteractionSummary[]) {
  const growth: TranscriptGrowth = { version, from, interactions, totals, problems: [], joined: [] };
  return { type: 'grew' as const, growth };
}

function some(title: string, from: number, to: number): readonly InteractionSummary[] {
  return Array.from({ length: to - from }, (_, at) => summary(from + at, { title }));
}

function titles(state: ReturnType<typeof transcriptReducer>): string {
  if (state.type !== 'transcript') return state.type;
  return state.transcript.interactions.map(({ title }) => title).join('');
}

describe('the news of a tape', () => {
  it('add what has been read on', () => {
    const begun = transcriptReducer({ type: 'opening' }, transcript(1, 5, some('a', 0, 2)));
    assert.equal(titles(transcriptReducer(begun, grew(1, 2, some('b', 2, 5)))), 'aabbb');
  });

  it('of another version than the one that is shown are left out', () => {
    const begun = transcriptReducer({ type: 'opening' }, transcript(2, 5, some('a', 0, 2)));
    assert.equal(transcriptReducer(begun, grew(1, 2, some('b', 2, 5))), begun);
    assert.equal(titles(transcriptReducer({ type: 'opening' }, grew(1, 0, some('b', 0, 5)))), 'opening');
  });

  it('leave the end of a changed tape as it was known, until that has been read again', () => {
    const known = transcriptReducer({ type: 'opening' }, transcript(1, 5, some('a', 0, 5)));
    const changed = transcriptReducer(known, transcript(2, 7, some('b', 0, 2)));
    assert.equal(titles(changed), 'bbaaa');
    const more = transcriptReducer(changed, grew(2, 2, some('c', 2, 4)));
    assert.equal(titles(more), 'bbcca');
    assert.equal(titles(transcriptReducer(more, grew(2, 4, some('d', 4, 7)))), 'bbccddd');
  });

  it('forget what a shorter tape has no more', () => {
    const known = transcriptReducer({ type: 'opening' }, transcript(1, 5, some('a', 0, 5)));
    assert.equal(titles(transcriptReducer(known, transcript(2, 3, some('b', 0, 2)))), 'bba');
    assert.equal(titles(transcriptReducer(known, { type: 'unreadable', message: '' })), 'unreadable');
  });
});
