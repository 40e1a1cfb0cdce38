import type { EntrySummary, InteractionSummary } from '../../../src/core/transcript/summary';
import { type InteractionView, viewInteractions } from '../../../webview-ui/transcript/state/viewModel';

/** The summary of an interaction, with defaults. */
export function summary(index: number, more: Partial<InteractionSummary> = {}): InteractionSummary {
  return {
    index,
    kind: 'llm',
    title: '',
    repeated: 0,
    changes: 0,
    failed: false,
    numbers: {},
    entries: [],
    ...more,
  };
}

export function entry(role: string, more: Partial<EntrySummary> = {}): EntrySummary {
  return { origin: role === 'assistant' ? 'response' : 'request', role, size: 10, ...more };
}

/** Interactions with the given roles. */
export function interactions(...roles: readonly (readonly string[])[]): readonly InteractionView[] {
  return viewInteractions(summaries(...roles));
}

export function summaries(...roles: readonly (readonly string[])[]): readonly InteractionSummary[] {
  return roles.map((list, index) => summary(index, { entries: list.map((role) => entry(role)) }));
}
