import { composePattern, escapePattern } from '../text/pattern';
import type { InteractionBody, TranscriptEntry } from './transcript';

/** Where a search found something: the n-th match, from 0, in a part of an entry. */
export interface TranscriptMatch {
  readonly interaction: number;
  /** From 0, among the entries of the interaction. */
  readonly entry: number;
  readonly part: string;
  readonly nth: number;
}

export interface TranscriptMatches {
  readonly matches: readonly TranscriptMatch[];
  /** The interaction to go on from; absent when all has been searched. */
  readonly next?: number;
}

/** In one text nobody steps through more, and a one-letter search of a huge one has millions. */
const MAX_IN_PART = 1000;

/**
 * The matches within one interaction, in reading order. Of plain HTTP the details are all there is; of calls of a model
 * they repeat the same tools and parameters every time.
 */
export function matchesIn({ index, entries, details }: InteractionBody, pattern: RegExp): TranscriptMatch[] {
  const isHttp = entries[0]?.role === 'http';
  const beside = isHttp ? details.map(({ text }, position) => ({ id: `detail${position}.text`, text })) : [];
  return entries.flatMap((entry, position) =>
    [...(position === 0 ? beside : []), ...entryParts(entry)].flatMap(({ id, text }) =>
      matchesOf(text, pattern).map((nth) => ({ interaction: index, entry: position, part: id, nth })),
    ),
  );
}

/** The numbers of the matches in a text, from 0. */
function matchesOf(text: string, pattern: RegExp): number[] {
  const matches: number[] = [];
  pattern.lastIndex = 0;
  while (matches.length < MAX_IN_PART && pattern.exec(text) !== null) matches.push(matches.length);
  return matches;
}

/** What markdown may have put between two words that are read as neighbours. */
const MARKUP = '[*_~`]{0,3}';

/**
 * A query as a pattern: its own characters, in any case, whatever white space and emphasis is between its words; undefined
 * for one without any. It finds in the recorded text what a reader sees of it.
 */
export function queryPattern(query: string): RegExp | undefined {
  const words = query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return composePattern(words.map(escapePattern).join(`${MARKUP}\\s+${MARKUP}`), 'giu');
}

/** A text of an entry by its name: what a search looks through and where it points. */
export interface EntryPart {
  readonly id: string;
  readonly text: string;
}

/** Everything there is to read in an entry, in the order it is shown. */
export function entryParts({ asides = [], text, toolCalls, error = '' }: TranscriptEntry): readonly EntryPart[] {
  return [
    ...asides.map((aside, index) => ({ id: `aside${index}.text`, text: aside.text })),
    { id: 'text', text },
    ...toolCalls.flatMap((call, index) => [
      { id: `call${index}.name`, text: call.name },
      { id: `call${index}.arguments`, text: call.arguments },
      { id: `call${index}.result`, text: call.result ?? '' },
    ]),
    { id: 'error', text: error },
  ].filter((part) => part.text !== '');
}
