import type { Splice } from '../text/splice';
import { diffLines, diffTokens, replacedText, type TextHunk } from './diffText';

const TIMEOUT_MS = 1500;
/** JSON escapes, words, white space within a line, and every other character. */
const TOKEN = /\\u[0-9a-fA-F]{4}|\\.|[\p{L}\p{N}_]+|[^\S\n]+|./gsu;

/**
 * The replacements that turn one text into the other, as small as possible: by lines, then within changed lines by words,
 * which leaves escapes whole. A text too different to compare in time is one replacement.
 */
export function textHunks(before: string, after: string): readonly Splice[] {
  const lines = diffLines(before, after, TIMEOUT_MS) ?? replacedText(before, after);
  const hunks = lines.flatMap((hunk) => (hunk.isEqual ? [hunk] : tokenHunks(hunk)));
  return splicesOf(hunks);
}

function tokenHunks({ before, after }: TextHunk): readonly TextHunk[] {
  return diffTokens(tokensOf(before), tokensOf(after), TIMEOUT_MS) ?? replacedText(before, after);
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

function splicesOf(hunks: readonly TextHunk[]): readonly Splice[] {
  const splices: Splice[] = [];
  let start = 0;
  for (const { isEqual, before, after } of hunks) {
    const end = start + before.length;
    if (!isEqual) splices.push({ start, end, text: after });
    start = end;
  }
  return splices;
}
