import type { TranscriptMatch } from '../../../src/core/transcript/searchTranscript';
import { entryKey, type InteractionView } from '../state/viewModel';

/** Where a search found something: the n-th match, from 0, in a part of an entry. */
export interface Match {
  readonly interaction: number;
  readonly key: string;
  readonly part: string;
  readonly nth: number;
}

/** Nobody steps through more, and a one-letter search of a large tape has millions. */
export const MAX_MATCHES = 10_000;

/** What the host found, by the keys of the page. What the page does not know (any more) is left out. */
export function placeMatches(
  found: readonly TranscriptMatch[],
  interactions: readonly InteractionView[],
): readonly Match[] {
  return found.flatMap(({ interaction, entry, part, nth }) => {
    const view = interactions[interaction]?.entries[entry];
    if (view === undefined) return [];
    const place = view.summary.origin === 'response' ? 'response' : entry;
    return { interaction, key: entryKey(interaction, place), part, nth };
  });
}

/** The match to step to: the next or previous one, going round. */
export function stepMatch(count: number, index: number, direction: 1 | -1): number {
  return count === 0 ? 0 : (index + direction + count) % count;
}

/** The first match that is not above an interaction; the first of all where all are above. */
export function firstMatchFrom(matches: readonly Match[], interaction: number): number {
  return Math.max(
    0,
    matches.findIndex((match) => match.interaction >= interaction),
  );
}
