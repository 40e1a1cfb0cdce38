import type { ChangePlace } from '../../model/change';
import type { Difference } from './difference';
import type { RepeatKeys } from './repeats';

/** A difference with its interactions, which are absent in artifacts. */
export interface PlacedDifference extends Difference {
  readonly interaction?: Omit<ChangePlace, 'path'>;
  /** Names the interaction in the earlier tape: see `earlierPlaces.ts`. */
  readonly earlier?: string;
  readonly repeatKeys?: RepeatKeys;
}

/** A difference with its repeats. */
export type DifferenceGroup = readonly [PlacedDifference, ...PlacedDifference[]];
