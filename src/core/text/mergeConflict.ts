import { memoiseLast } from './memo';
import type { Span } from './source';
import type { TextParts } from './textParts';

/**
 * The lines that git and others leave where two versions of a text could not be merged. A path may ask git for longer ones
 * (`conflict-marker-size`), and other programs may give no names. An agent that edits files writes such blocks with names of its own.
 */
const OURS = /^<{7,}(?: (?!(?:SEARCH|ORIGINAL)\r?$)|\r?$)/;
const BASE = /^\|{7,}(?: |\r?$)/;
const BETWEEN = /^={7,}\r?$/;
const THEIRS = /^>{7} (?!(?:REPLACE|UPDATED)\r?$)/;
/** Where a line is the end of what `OURS` began, in any of these ways. */
const END = /^>{7,}(?: |\r?$)/;

/** The first line that a merge left in a text; undefined if there is none. Inside of a line, such signs are content. */
export const conflictIn = memoiseLast((text: TextParts): Span | undefined => {
  const lines = [lineLike(text, '<', OURS), lineLike(text, '>', THEIRS)].filter((line) => line !== undefined);
  return lines.sort((left, right) => left.start - right.start)[0];
});

/** The first line that is like this, and begins with the sign. */
function lineLike(text: TextParts, sign: string, marker: RegExp): Span | undefined {
  const isMarker = (line: Span): boolean => marker.test(text.slice(line.start, Math.min(line.end, line.start + 200)));
  if (text.startsWith(sign) && isMarker(lineAt(text, 0))) return lineAt(text, 0);
  // V8 finds five characters faster than eight.
  const sought = `\n${sign.repeat(4)}`;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const line = lineAt(text, at + 1);
    if (isMarker(line)) return line;
  }
  return undefined;
}

function lineAt(text: TextParts, start: number): Span {
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

/** The two texts that could not be merged. */
export function versionsOf(text: string): readonly [ours: string, theirs: string] {
  const ours: string[] = [];
  const theirs: string[] = [];
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    if (OURS.test(line)) part = 'ours';
    else if (part === 'both' ? THEIRS.test(line) : END.test(line)) part = 'both';
    else if (part === 'ours' && BASE.test(line)) part = 'base';
    else if (part !== 'both' && BETWEEN.test(line)) part = 'theirs';
    else {
      if (part === 'both' || part === 'ours') ours.push(line);
      if (part === 'both' || part === 'theirs') theirs.push(line);
    }
  }
  return [ours.join('\n'), theirs.join('\n')];
}
