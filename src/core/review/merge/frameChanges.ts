import type { Change } from '../../model/change';
import type { TapeComparison } from '../compare/compareTapes';
import { isSameFrame, piecesOf, type TapeLayout } from '../tapeLayout';

/** The layouts of both files. */
export interface Layouts {
  readonly before: TapeLayout;
  readonly after: TapeLayout;
}

/** The changes, by their ids, that the text around the interactions makes. */
interface FrameChanges {
  /** They are made by this text: all of them, or none. */
  readonly frame: readonly string[];
  /** Those of them that need an interaction as well. */
  readonly torn: readonly string[];
}

/** Finds them by changing only the interactions, and only what is around them. `compare` compares a file of pieces with the earlier one. */
export function frameChanges(
  { before, after }: Layouts,
  { changes, sources }: TapeComparison,
  compare: (pieces: Iterable<string>) => TapeComparison,
): FrameChanges {
  if (isSameFrame(before, after)) return { frame: [], torn: [] };
  const hasSameGaps = before.gaps.length === after.gaps.length;
  const byItems = compare(piecesOf(before, after, hasSameGaps ? before : after)).sources;
  const frame = changes.filter((change) => isOfTape(change) || !byItems.has(change.id));
  const ofItems = frame.filter((change) => !isOfTape(change));
  if (ofItems.length === 0) return { frame: frame.map(({ id }) => id), torn: [] };
  const byFrame = compare(piecesOf(after, before, hasSameGaps ? after : before)).sources;
  // A request that repeats a response is another place of the same change.
  const places = (found: typeof sources, id: string) => found.get(id)?.length ?? 0;
  const torn = ofItems.filter(({ id }) => places(byFrame, id) < places(sources, id));
  return { frame: frame.map(({ id }) => id), torn: torn.map(({ id }) => id) };
}

/** Whether a change is one of the tape, and not of an interaction. */
function isOfTape({ place }: Change): boolean {
  return place.before === undefined && place.after === undefined;
}
