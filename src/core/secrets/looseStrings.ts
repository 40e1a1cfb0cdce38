import type { Span } from '../text/source';
import type { Splice } from '../text/splice';
import { replaceInPieces } from './redactStream';
import type { SpellingSearch } from './spellingSearch';

/** A string that follows a name: a member of JSON, or a line such as `0:"text"`. */
const NAMED_STRING = /(?:"((?:[^"\\\n]|\\.){1,64})"\s{0,4}:\s{0,4}|(?:^|\n)([\w-]{1,16}):[ \t]?)"((?:[^"\\\n]|\\.)*)"/g;

/**
 * The splices that hide secrets in pieces in a text of unknown framing, such as JSON texts without anything between
 * them: strings with the same name are put together.
 */
export function looseStringSplices(text: string, search: SpellingSearch): Splice[] {
  return looseStrings(text).flatMap((spans) => {
    const pieces = spans.map(({ start, end }) => text.slice(start, end));
    const replacements = search.replacements(pieces.join(''));
    if (replacements.length === 0) return [];
    return replaceInPieces(pieces, replacements).flatMap((piece, index) => {
      const span = spans[index];
      return span === undefined || piece === pieces[index] ? [] : [{ ...span, text: piece }];
    });
  });
}

/** The strings that have a name in common with others. */
export function looseStrings(text: string): readonly (readonly Span[])[] {
  const lists = new Map<string, Span[]>();
  for (const { 0: match, 1: member, 2: prefix, 3: string = '', index } of text.matchAll(NAMED_STRING)) {
    if (string === '') continue;
    const end = index + match.length - 1;
    const key = member ?? `${prefix}:`;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    list.push({ start: end - string.length, end });
  }
  return [...lists.values()].filter(({ length }) => length > 1);
}
