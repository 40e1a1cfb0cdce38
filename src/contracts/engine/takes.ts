import { list, optional, shape } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import type { StoredTake } from './comparisons';
import { innerPath, PLACE, takeName } from './project';

const TAKE = { ...PLACE, take: takeName };

/** The engine's calls about the takes that a tape has replaced. */
export const takesCalls = {
  /** The kept takes, the latest first. The cases are those that use the tape, by their addresses: their last runs may belong to a take. */
  takes: call(shape({ ...PLACE, cases: list(innerPath) }), returns<readonly ListedTake[]>()),
  /** Makes a take the tape again, byte for byte. The tape that it replaces is kept as a take before. */
  restoreTake: call(shape(TAKE), returns<RestoredTake>()),
  /** Undoes the restoring of a take. Rejects if something else has written the tape since. */
  undoRestore: call(shape({ ...TAKE, previousTake: optional(takeName) }), returns<void>()),
  /** Deletes takes for good. */
  deleteTakes: call(shape({ ...PLACE, takes: list(takeName) }), returns<void>()),
};
export type TakesApi = Answers<typeof takesCalls>;
export type TakesParams = Params<typeof takesCalls.takes>;
export type TakeParams = Params<typeof takesCalls.restoreTake>;
export type UndoRestoreParams = Params<typeof takesCalls.undoRestore>;

export interface ListedTake extends StoredTake {
  /** The models that responded, or were requested; empty if unknown, or if the take is too large to be read for a list. */
  readonly models: readonly string[];
  /** The verdict of the last run of a case with exactly this take; absent if there was none. */
  readonly verdict?: 'passed' | 'failed';
  /** Whether the current tape has this content. */
  readonly isTape: boolean;
}

/** What is needed to undo the restoring of a take. */
export interface RestoredTake {
  /** False if the tape already had this content, so that nothing was written. */
  readonly isChanged: boolean;
  /** The take that keeps the replaced tape; absent if there was no tape. */
  readonly previousTake?: string;
}
