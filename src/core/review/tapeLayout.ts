import type { Interaction } from '../tapes/tape';

/** A file taken apart: what stands before the interactions, they themselves, what is between them, and the rest. */
export interface TapeLayout {
  readonly head: string;
  readonly items: readonly string[];
  /** One less than items. */
  readonly gaps: readonly string[];
  readonly tail: string;
}

/** Undefined where interactions are not one after the other in the text, as in a zip. */
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

/** Is a gap only what separates, so that another may stand in its place? */
export function isPlain(gap: string): boolean {
  return !/[\p{L}\p{N}]/u.test(gap);
}
