import { composePattern, escapePattern } from '../text/pattern';
import type { InteractionBody, TranscriptEntry } from './transcript';

/** The n-th match, from 0, in a part of an entry. */
export interface TranscriptMatch {
  readonly interaction: number;
  /** From 0, among the entries of the interaction. */
  readonly entry: number;
  readonly part: string;
  readonly nth: number;
}

export interface TranscriptMatches {
  readonly matches: readonly TranscriptMatch[];
  /** The interaction to continue the search from; absent when all have been searched. */
  readonly next?: number;
}

/** A search for one letter has millions of matches in a huge text. */
const MAX_IN_PART = 1000;

/** The matches within one interaction, in reading order. */
export function matchesIn(body: InteractionBody, pattern: RegExp): TranscriptMatch[] {
  return searchedParts(body).flatMap(({ entry, id, text }) =>
    matchesOf(text, pattern).map((nth) => ({ interaction: body.index, entry, part: id, nth })),
  );
}

/** A text of an interaction that is searched. */
interface SearchedPart extends EntryPart {
  /** From 0, among the entries of the interaction. */
  readonly entry: number;
}

/**
 * The texts of an interaction, in reading order. Details are only searched for plain HTTP: those of model calls repeat the
 * same tools and parameters.
 */
export function searchedParts({ entries, details }: InteractionBody): readonly SearchedPart[] {
  const isHttp = entries[0]?.role === 'http';
  const detailParts = isHttp ? details.map(({ text }, position) => ({ id: `detail${position}.text`, text })) : [];
  return entries.flatMap((entry, position) =>
    [...(position === 0 ? detailParts : []), ...entryParts(entry)].map((part) => ({ ...part, entry: position })),
  );
}

/** The numbers of the matches in a text, from 0. */
function matchesOf(text: string, pattern: RegExp): number[] {
  const matches: number[] = [];
  pattern.lastIndex = 0;
  while (matches.length < MAX_IN_PART && pattern.exec(text) !== null) matches.push(matches.length);
  return matches;
}

/** Markdown that may stand between two adjacent words. */
const MARKUP = '[*_~`]{0,3}';

/**
 * A query as a pattern that ignores case, and the amount of white space and emphasis between words, so that it finds text
 * as it is displayed. Undefined for a query without words.
 */
export function queryPattern(query: string): RegExp | undefined {
  const words = query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return composePattern(words.map(escapePattern).join(`${MARKUP}\\s+${MARKUP}`), 'giu');
}

/** A searchable text of an entry, by its name. */
interface EntryPart {
  readonly id: string;
  readonly text: string;
}

/** All texts of an entry, in the order in which they are shown. */
export function entryParts({ extras = [], text, toolCalls, error = '' }: TranscriptEntry): readonly EntryPart[] {
  return [
    ...extras.map((extra, index) => ({ id: `extra${index}.text`, text: extra.text })),
    { id: 'text', text },
    ...toolCalls.flatMap((call, index) => [
      { id: `call${index}.name`, text: call.name },
      { id: `call${index}.arguments`, text: call.arguments },
      { id: `call${index}.result`, text: call.result ?? '' },
    ]),
    { id: 'error', text: error },
  ].filter((part) => part.text !== '');
}
