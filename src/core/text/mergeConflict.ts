import { memoiseLast } from './memo';
import type { Span } from './source';
import type { TextParts } from './textParts';

/** What begins the lines that git and others leave where two versions of a text could not be merged. */
const OURS = '<<<<<<< ';
const BASE = '||||||| ';
const THEIRS = '>>>>>>> ';
const BETWEEN = /^={7}\r?$/;

/** The first line that a merge left in a text; undefined if there is none. Inside of a line, such signs are content. */
export const conflictIn = memoiseLast((text: TextParts): Span | undefined => {
  const lines = [OURS, THEIRS].flatMap((marker) => lineThatBegins(text, marker) ?? []);
  return lines.sort((left, right) => left.start - right.start)[0];
});

function lineThatBegins(text: TextParts, marker: string): Span | undefined {
  if (text.startsWith(marker)) return lineAt(text, 0);
  // V8 finds five characters faster than eight.
  const sought = `\n${marker.slice(0, 4)}`;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1))
    if (text.startsWith(marker, at + 1)) return lineAt(text, at + 1);
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
    if (line.startsWith(OURS)) part = 'ours';
    else if (line.startsWith(THEIRS)) part = 'both';
    else if (part === 'ours' && line.startsWith(BASE)) part = 'base';
    else if (part !== 'both' && BETWEEN.test(line)) part = 'theirs';
    else {
      if (part === 'both' || part === 'ours') ours.push(line);
      if (part === 'both' || part === 'theirs') theirs.push(line);
    }
  }
  return [ours.join('\n'), theirs.join('\n')];
}
