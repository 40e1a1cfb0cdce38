import type { Change } from '../../model/change';
import type { TapeComparison } from '../compare/compareTapes';
import { isSameFrame, joinLayout, type TapeLayout } from '../tapeLayout';

/** The layouts of both files. */
export interface Layouts {
  readonly before: TapeLayout;
  readonly after: TapeLayout;
}

/** The changes, by their ids, that the text around the interactions makes. */
export interface FrameChanges {
  /** They are made by this text: all of them, or none. */
  readonly frame: readonly string[];
  /** Those of them that need an interaction as well. */
  readonly torn: readonly string[];
}

/** Finds them by changing only the interactions, and only what is around them. `compare` compares a text with the earlier file. */
export function frameChanges(
  { before, after }: Layouts,
  { changes }: TapeComparison,
  compare: (text: string) => TapeComparison,
): FrameChanges {
  if (isSameFrame(before, after)) return { frame: [], torn: [] };
  const hasSameGaps = before.gaps.length === after.gaps.length;
  const madeBy = (text: string) => new Set(compare(text).changes.map(({ id }) => id));
  const byItems = madeBy(joinLayout(before, after.items, hasSameGaps ? before : after));
  const frame = changes.filter((change) => isOfTape(change) || !byItems.has(change.id));
  const ofItems = frame.filter((change) => !isOfTape(change));
  if (ofItems.length === 0) return { frame: frame.map(({ id }) => id), torn: [] };
  const byFrame = madeBy(joinLayout(after, before.items, hasSameGaps ? after : before));
  const torn = ofItems.filter(({ id }) => !byFrame.has(id));
  return { frame: frame.map(({ id }) => id), torn: torn.map(({ id }) => id) };
}

/** Whether a change is one of the tape, and not of an interaction. */
function isOfTape({ place }: Change): boolean {
  return place.before === undefined && place.after === undefined;
}
