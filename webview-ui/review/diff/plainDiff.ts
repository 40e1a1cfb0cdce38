import { diffLines, diffWordsWithSpace } from 'diff';

/** Milliseconds. A text that takes longer is shown as a whole, before and after. */
const TIMEOUT = 500;
/** Unchanged lines around a change; longer stretches are folded. */
const CONTEXT = 3;

export type PartKind = 'same' | 'removed' | 'added';

/** A piece of a line or of lines, with whether it is what differs. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export type DiffBlock =
  | { readonly kind: PartKind; readonly pieces: readonly Piece[] }
  | { readonly kind: 'folded'; readonly lines: number };

/** Two texts as blocks of whole lines. Where lines became other lines, the words that differ are marked. */
export function plainDiff(before: string, after: string, folded = true): readonly DiffBlock[] {
  const parts = diffLines(asLines(before), asLines(after), { timeout: TIMEOUT });
  if (parts === undefined) return [block('removed', asLines(before)), block('added', asLines(after))];
  return parts.flatMap((part, index) => {
    const [previous, next] = [parts[index - 1], parts[index + 1]];
    if (part.removed && next?.added) return replacement(part.value, next.value);
    if (part.added && previous?.removed) return [];
    if (part.removed || part.added) return [block(part.removed ? 'removed' : 'added', part.value)];
    return folded ? unchanged(part.value, previous !== undefined, next !== undefined) : [block('same', part.value)];
  });
}

/** With a newline after every line, also the last, so that a line is the same wherever it stands. */
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
  const words = diffWordsWithSpace(before, after, { timeout: TIMEOUT });
  if (words === undefined) return [block('removed', before), block('added', after)];
  const side = (kind: 'removed' | 'added'): DiffBlock => {
    const own = words.filter((word) => word[kind] || !(word.added || word.removed));
    return { kind, pieces: own.map((word) => ({ text: word.value, marked: word[kind] })) };
  };
  return [side('removed'), side('added')];
}

function block(kind: PartKind, text: string): DiffBlock {
  return { kind, pieces: [{ text, marked: false }] };
}
