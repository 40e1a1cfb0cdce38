import type { Interaction } from '../model/interaction';
import type { StandaloneTape } from '../tapes/format';
import type { RecordedTape } from './recordings';

/** The text of a file, split into the interactions and the text before, between and after them. */
export interface TapeLayout extends StandaloneTape {
  /** One less than items; none between texts that stand by themselves. */
  readonly gaps: readonly string[];
  readonly tail: string;
}

/** Splits a file to be merged with another one: where interactions refer to earlier ones, into texts that stand by themselves. */
export function mergeLayout({ file, format, tape: { interactions } }: RecordedTape): TapeLayout | undefined {
  if (format.standalone === undefined) return tapeLayout(file.text, interactions);
  const standalone = format.standalone(file);
  const isWhole = interactions.length > 0 && standalone?.items.length === interactions.length;
  return isWhole ? { ...standalone, gaps: [], tail: '' } : undefined;
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
    join: (pieces) => [...pieces].join(''),
  };
}

/** Whether a gap is a mere separator, so that any other gap can replace it. */
export function isPlain(gap: string): boolean {
  return !/[\p{L}\p{N}]/u.test(gap);
}

/** The pieces of a file with the head and tail of one layout, and the gaps of another, around these interactions. */
export function* piecesOf({ head, tail }: TapeLayout, { items }: TapeLayout, { gaps }: TapeLayout): Generator<string> {
  yield head;
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) yield gaps[index - 1] ?? '';
    yield items.at(index) ?? '';
  }
  yield tail;
}

/** Whether two files have the same text around their interactions. */
export function isSameFrame(left: TapeLayout, right: TapeLayout): boolean {
  return left.head === right.head && left.tail === right.tail && sameTexts(left.gaps, right.gaps);
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
