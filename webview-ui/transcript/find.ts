import { partsOf } from './parts';
import type { EntryView, InteractionView } from './viewModel';

/** Where a search found something: the n-th match, from 0, in a part of an entry. */
export interface Match {
  readonly interaction: number;
  readonly key: string;
  readonly part: string;
  readonly nth: number;
}

/** Nobody steps through more, and a one-letter search of a large tape has millions. */
export const MAX_MATCHES = 10_000;

/** Searches everything, whether or not it is open or on screen. */
export function findMatches(interactions: readonly InteractionView[], query: string): readonly Match[] {
  const matches: Match[] = [];
  const pattern = queryPattern(query);
  if (pattern === undefined) return matches;
  for (const { index, entries } of interactions)
    for (const view of entries) {
      for (const match of matchesOf(view, pattern)) matches.push({ interaction: index, ...match });
      if (matches.length >= MAX_MATCHES) return matches.slice(0, MAX_MATCHES);
    }
  return matches;
}

/** A query as a pattern: its own characters, in any case; undefined for the empty query. */
export function queryPattern(query: string): RegExp | undefined {
  return query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** The match to step to: the next or previous one, going round. */
export function stepMatch(count: number, index: number, direction: 1 | -1): number {
  return count === 0 ? 0 : (index + direction + count) % count;
}

function matchesOf({ key, entry }: EntryView, pattern: RegExp): Omit<Match, 'interaction'>[] {
  return partsOf(entry).flatMap(({ id, text }) =>
    [...text.matchAll(pattern)].map((_, nth) => ({ key, part: id, nth })),
  );
}
