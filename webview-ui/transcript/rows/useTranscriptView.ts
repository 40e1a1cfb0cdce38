import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { type InteractionView, useInteractions } from '../state/viewModel';
import type { ViewState } from '../state/viewState';
import { parseFilter, type TranscriptFilter } from './filter';
import { type Row, useRows } from './rows';
import { useVirtualRows, type VirtualRows } from './useVirtualRows';

/** A transcript as one state of the view shows it. */
export interface TranscriptView {
  readonly interactions: readonly InteractionView[];
  readonly filter: TranscriptFilter | undefined;
  readonly rows: readonly Row[];
  readonly feed: RefObject<HTMLDivElement | null>;
  readonly virtual: VirtualRows;
}

export function useTranscriptView(summaries: readonly InteractionSummary[], view: ViewState): TranscriptView {
  const feed = useRef<HTMLDivElement>(null);
  const interactions = useInteractions(summaries);
  const filter = useMemo(() => parseFilter(view.filter ?? ''), [view.filter]);
  const rows = useRows(interactions, view, filter);
  const virtual = useVirtualRows(feed, rows, view);
  return { interactions, filter, rows, feed, virtual };
}
