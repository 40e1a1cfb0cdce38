import { useEffect, useState } from 'preact/hooks';
import type { TranscriptMatch } from '../../src/core/transcript/searchTranscript';
import { useActions } from './actions';
import { MAX_MATCHES } from './find';

/** Typing settles before the host searches. */
const SETTLE_MS = 60;

interface Search {
  readonly query: string;
  readonly found: readonly TranscriptMatch[];
  readonly isSearching: boolean;
}

const NOTHING: Search = { query: '', found: [], isSearching: false };

/** What the host finds for a query in a version of the tape, as it finds it. What was found for the last one stays until there is something new. */
export function useMatches(query: string, version: number): Search {
  const { search } = useActions();
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    if (query.trim() === '') {
      setState(NOTHING);
      return undefined;
    }
    let isCurrent = true;
    const run = async (): Promise<void> => {
      const found: TranscriptMatch[] = [];
      for (let from: number | undefined = 0; from !== undefined && isCurrent; ) {
        const { matches, next } = await search({ query, from });
        found.push(...matches);
        from = found.length >= MAX_MATCHES ? undefined : next;
        if (isCurrent) setState({ query, found: found.slice(0, MAX_MATCHES), isSearching: from !== undefined });
      }
    };
    const timer = setTimeout(() => run().catch(() => isCurrent && setState(NOTHING)), SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, version, search]);
  return query === '' ? NOTHING : state;
}
