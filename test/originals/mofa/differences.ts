import type { MofaCase } from './mofaCase';
import type { Difference } from './outcome';

/** A way in which Tapedeck's `test-dsl` is not MoFA's, on purpose. */
export interface Deliberate {
  readonly reason: string;
  covers(difference: Difference, one: MofaCase): boolean;
}

export const DELIBERATE: readonly Deliberate[] = [];
