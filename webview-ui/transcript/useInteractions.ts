import { useMemo, useRef } from 'preact/hooks';
import type { InteractionSummary } from '../../src/core/transcript/summary';
import { type InteractionView, viewInteractions } from './viewModel';

/** The interactions of a transcript; those that a new transcript leaves as they were stay the same objects. */
export function useInteractions(summaries: readonly InteractionSummary[]): readonly InteractionView[] {
  const previous = useRef<readonly InteractionView[]>([]);
  const interactions = useMemo(() => viewInteractions(summaries, previous.current), [summaries]);
  previous.current = interactions;
  return interactions;
}
