import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Transcript } from '../../src/core/transcript/transcript';
import { partsOf } from './parts';
import { type InteractionView, viewInteractions } from './viewModel';

/** A slice of idle time, in milliseconds, that leaves room for a frame. */
const SLICE_MS = 6;

/** The interactions of a transcript; those that a new transcript leaves as they were stay the same objects. */
export function useInteractions(transcript: Transcript): readonly InteractionView[] {
  const previous = useRef<readonly InteractionView[]>([]);
  const interactions = useMemo(() => viewInteractions(transcript, previous.current), [transcript]);
  previous.current = interactions;
  useEffect(() => prepare(interactions), [interactions]);
  return interactions;
}

/** Parses ahead while nothing else is to do, so that scrolling and the first search find the work done. */
function prepare(interactions: readonly InteractionView[]): () => void {
  const entries = interactions.flatMap((view) => view.entries);
  let next = 0;
  let timer: ReturnType<typeof setTimeout>;
  const work = (): void => {
    const end = performance.now() + SLICE_MS;
    for (; next < entries.length && performance.now() < end; next += 1) {
      const view = entries[next];
      if (view !== undefined) partsOf(view.entry);
    }
    if (next < entries.length) timer = setTimeout(work, SLICE_MS);
  };
  timer = setTimeout(work, 300);
  return () => clearTimeout(timer);
}
