import type { TranscriptMatch } from '../../../src/core/transcript/searchTranscript';
import { entryKey, type InteractionView } from '../state/viewModel';

/** The place of a match: the n-th, from 0, in a part of an entry. */
export interface Match {
  readonly interaction: number;
  readonly key: string;
  readonly part: string;
  readonly nth: number;
}

/** A one-letter search of a large tape has millions of matches, more than anyone steps through. */
export const MAX_MATCHES = 10_000;

/** The matches that the host found, by the keys of the page. Those in unknown entries are left out. */
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

/** The index of the next or previous match, around the ends. */
export function stepMatch(count: number, index: number, direction: 1 | -1): number {
  return count === 0 ? 0 : (index + direction + count) % count;
}

/** The index of the first match at or after an interaction; 0 where there is none. */
export function firstMatchFrom(matches: readonly Match[], interaction: number): number {
  return Math.max(
    0,
    matches.findIndex((match) => match.interaction >= interaction),
  );
}
