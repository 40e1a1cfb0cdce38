import { diffArrays, wordsWithSpaceDiff } from 'diff';
import { memoiseLast } from '../text/memo';

/** A stretch of two aligned texts: equal in both, or the text of one replaced by that of the other. Either may be ''. */
export interface TextHunk {
  readonly isEqual: boolean;
  readonly before: string;
  readonly after: string;
}

/** Aligns two texts by their lines; undefined when that takes longer than `timeout` milliseconds. */
export function diffLines(before: string, after: string, timeout: number): readonly TextHunk[] | undefined {
  return diffTokens(linesOf(before), linesOf(after), timeout);
}

/** Aligns two texts by their words and white space; undefined when that takes longer than `timeout` milliseconds. */
export function diffWords(before: string, after: string, timeout: number): readonly TextHunk[] | undefined {
  return diffTokens(wordsWithSpaceDiff.tokenize(before), wordsOfLast(after), timeout);
}

/** Several texts are often compared with one, whose words take as long to find as the rest. */
const wordsOfLast = memoiseLast((text): readonly string[] => wordsWithSpaceDiff.tokenize(text));

/** Aligns two texts by their tokens; undefined when that takes longer than `timeout` milliseconds. */
export function diffTokens(
  before: readonly string[],
  after: readonly string[],
  timeout: number,
): readonly TextHunk[] | undefined {
  const chunks = diffArrays([...before], [...after], { timeout });
  return chunks && hunksOf(chunks.map((chunk) => ({ ...chunk, value: chunk.value.join('') })));
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface Chunk {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: string;
}

/** Joins what was removed and added between two equal stretches. */
function hunksOf(chunks: readonly Chunk[]): readonly TextHunk[] {
  const hunks: TextHunk[] = [];
  for (const { added, removed, value } of chunks) {
    if (!added && !removed) {
      hunks.push({ isEqual: true, before: value, after: value });
      continue;
    }
    const open = hunks.at(-1)?.isEqual === false ? hunks.pop() : undefined;
    const { before = '', after = '' } = open ?? {};
    hunks.push({ isEqual: false, before: removed ? before + value : before, after: added ? after + value : after });
  }
  return hunks;
}

/** The only hunk of two texts that were too different to compare in time. */
export function replacedText(before: string, after: string): readonly TextHunk[] {
  return [{ isEqual: false, before, after }];
}

/** A piece of a changed text; `skipped` stands for that many characters. */
export type DiffPiece =
  | { readonly type: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly type: 'skipped'; readonly length: number };

/** Longer texts, both together, are compared by lines. */
const MAX_WORD_LENGTH = 100_000;
const WORDS_TIMEOUT_MS = 200;
const LINES_TIMEOUT_MS = 300;
/** Characters of unchanged text that are kept on either side of a change. */
const CONTEXT = 100;
/** Characters of a removed or added text that are kept. */
const MAX_PIECE = 20_000;

/** The changes from one text to another, word by word, with a little of the unchanged text around them. */
export function diffText(before: string, after: string): readonly DiffPiece[] {
  const isLong = before.length + after.length > MAX_WORD_LENGTH;
  const aligned = isLong ? diffLines(before, after, LINES_TIMEOUT_MS) : diffWords(before, after, WORDS_TIMEOUT_MS);
  const hunks = aligned ?? replacedText(before, after);
  return hunks.flatMap((hunk, index) => {
    if (!hunk.isEqual)
      return [...pieces('removed', hunk.before, MAX_PIECE, 0), ...pieces('added', hunk.after, MAX_PIECE, 0)];
    const head = index > 0 ? CONTEXT : 0;
    const tail = index < hunks.length - 1 ? CONTEXT : 0;
    return pieces('same', hunk.before, head, tail, CONTEXT);
  });
}

function pieces(
  type: 'same' | 'added' | 'removed',
  text: string,
  head: number,
  tail: number,
  slack = 0,
): readonly DiffPiece[] {
  const { start, skipped, end } = cutMiddle(text, head, tail, slack);
  return [
    ...(start === '' ? [] : [{ type, text: start }]),
    ...(skipped === 0 ? [] : [{ type: 'skipped', length: skipped } as const]),
    ...(end === '' ? [] : [{ type, text: end }]),
  ];
}

/** A text without its middle: `skipped` characters between `start` and `end`. Whole, in `start`, where that is 0. */
interface CutText {
  readonly start: string;
  readonly skipped: number;
  readonly end: string;
}

/** Keeps the first `head` and the last `tail` characters, unless no more than `slack` would be left out between them. */
export function cutMiddle(text: string, head: number, tail: number, slack = 0): CutText {
  const skipped = text.length - head - tail;
  if (skipped <= slack) return { start: text, skipped: 0, end: '' };
  return { start: text.slice(0, head), skipped, end: text.slice(text.length - tail) };
}
