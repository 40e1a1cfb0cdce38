import type { Interaction } from '../model/interaction';

/** The text of a file, split into the interactions and the text before, between and after them. */
export interface TapeLayout {
  readonly head: string;
  readonly items: readonly string[];
  /** One less than items. */
  readonly gaps: readonly string[];
  readonly tail: string;
}

/** Splits a file. Undefined if interactions do not follow each other in the text, as in a zip. */
export function tapeLayout(text: string, interactions: readonly Interaction[]): TapeLayout | undefined {
  const [first] = interactions;
  const last = interactions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const gaps: string[] = [];
  let end: number | undefined;
  for (const { source } of interactions) {
    if (source.end <= source.start || (end !== undefined && source.start < end)) return undefined;
    if (end !== undefined) gaps.push(text.slice(end, source.start));
    end = source.end;
  }
  return {
    head: text.slice(0, first.source.start),
    items: interactions.map(({ source }) => text.slice(source.start, source.end)),
    gaps,
    tail: text.slice(last.source.end),
  };
}

/** Whether a gap is a mere separator, so that any other gap can replace it. */
export function isPlain(gap: string): boolean {
  return !/[\p{L}\p{N}]/u.test(gap);
}

/** The text of a file with the head and tail of one layout, and the gaps of another, around these interactions. */
export function joinLayout({ head, tail }: TapeLayout, items: readonly string[], { gaps }: TapeLayout): string {
  return head + items.map((item, index) => (index === 0 ? '' : (gaps[index - 1] ?? '')) + item).join('') + tail;
}

/** Whether two files have the same text around their interactions. */
export function isSameFrame(left: TapeLayout, right: TapeLayout): boolean {
  return left.head === right.head && left.tail === right.tail && sameTexts(left.gaps, right.gaps);
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
