import type { PriceTable } from '../../core/prices/priceTable';
import { type Measure, runMeasures } from '../../core/review/measures';
import { MAX_COMPARED_BYTES } from '../../core/review/recordings';
import { tapeMeasures } from '../../core/review/tapeMeasures';
import { recordingOf } from './fileReview';
import type { ReviewSides } from './stamp';

/** The measures of both sides of a tape or baseline; none if they are too large to be compared. */
export function measuresOfSides(path: string, sides: ReviewSides, prices?: PriceTable): readonly Measure[] {
  if ((sides.before?.length ?? 0) + (sides.after?.length ?? 0) > MAX_COMPARED_BYTES) return [];
  const before = sides.before && recordingOf(path, sides.before);
  const after = sides.after && recordingOf(path, sides.after);
  if (before?.kind === 'baseline' || after?.kind === 'baseline')
    return runMeasures(
      before?.kind === 'baseline' ? before.artifact : undefined,
      after?.kind === 'baseline' ? after.artifact : undefined,
    );
  return tapeMeasures(before?.tape, after?.tape, prices);
}
