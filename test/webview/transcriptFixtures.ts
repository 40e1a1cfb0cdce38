import type { Transcript, TranscriptEntry } from '../../src/core/transcript/transcript';
import { type InteractionView, viewInteractions } from '../../webview-ui/transcript/viewModel';

/** A transcript of entries of which only what matters is said; they belong to interaction 0 unless they say otherwise. */
export function transcript(entries: readonly Partial<TranscriptEntry>[]): Transcript {
  return {
    name: 'test',
    formatLabel: 'Test tape',
    totals: { interactions: 0, toolCalls: 0, usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } },
    entries: entries.map((entry) => ({
      interaction: 0,
      origin: 'request',
      role: 'user',
      text: '',
      toolCalls: [],
      ...entry,
    })),
    problems: [],
  };
}

export function interactions(entries: readonly Partial<TranscriptEntry>[]): readonly InteractionView[] {
  return viewInteractions(transcript(entries));
}
