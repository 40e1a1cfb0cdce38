import { diffLines, diffWords, type TextHunk } from './diffText';

/** Milliseconds; a text that takes longer is shown whole, before and after. */
const TIMEOUT = 500;
/** Unchanged lines around a change; longer stretches are folded. */
const CONTEXT = 3;

type PartKind = 'same' | 'removed' | 'added';

/** A piece of text, marked where it differs. */
interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export type DiffBlock =
  | { readonly kind: PartKind; readonly pieces: readonly Piece[] }
  | { readonly kind: 'folded'; readonly lines: number };

/** Two texts as blocks of whole lines. Where lines became other lines, the words that differ are marked. */
export function plainDiff(before: string, after: string, folded = true): readonly DiffBlock[] {
  const hunks = diffLines(asLines(before), asLines(after), TIMEOUT);
  if (hunks === undefined) return [block('removed', asLines(before)), block('added', asLines(after))];
  return hunks.flatMap((hunk, index) => {
    if (!hunk.isEqual) return replacement(hunk.before, hunk.after);
    return folded ? unchanged(hunk.before, index > 0, index < hunks.length - 1) : [block('same', hunk.before)];
  });
}

/** The text with a newline after the last line too, so that equal lines are equal at the end as well. */
export function asLines(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

function unchanged(text: string, follows: boolean, goesOn: boolean): readonly DiffBlock[] {
  const lines = text.slice(0, -1).split('\n');
  const head = follows ? CONTEXT : 0;
  const tail = goesOn ? CONTEXT : 0;
  const folded = lines.length - head - tail;
  if (folded <= 1 || head + tail === 0) return [block('same', text)];
  const shown = (from: number, to: number): readonly DiffBlock[] =>
    from === to ? [] : [block('same', `${lines.slice(from, to).join('\n')}\n`)];
  return [...shown(0, head), { kind: 'folded', lines: folded }, ...shown(lines.length - tail, lines.length)];
}

function replacement(before: string, after: string): readonly DiffBlock[] {
  if (before === '') return [block('added', after)];
  if (after === '') return [block('removed', before)];
  const words = diffWords(before, after, TIMEOUT);
  if (words === undefined) return [block('removed', before), block('added', after)];
  const side = (kind: 'removed' | 'added', textOf: (hunk: TextHunk) => string): DiffBlock => {
    const own = words.filter((hunk) => textOf(hunk) !== '');
    return { kind, pieces: own.map((hunk) => ({ text: textOf(hunk), marked: !hunk.isEqual })) };
  };
  return [side('removed', (hunk) => hunk.before), side('added', (hunk) => hunk.after)];
}

function block(kind: PartKind, text: string): DiffBlock {
  return { kind, pieces: [{ text, marked: false }] };
}
