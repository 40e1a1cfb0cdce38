import { isListOf, isMaybe, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import { isTake, type KeptTake } from './comparisons';
import { isInnerPath, type TapeParams } from './engineReviews';

/** The engine's calls about the takes that a tape has replaced. */
export type TakesApi = {
  /** The kept takes, the latest first. */
  takes(params: TakesParams): Promise<readonly ListedTake[]>;
  /** Makes a take the tape again, byte for byte. The tape that it replaces is kept as a take before. */
  restoreTake(params: TakeParams): Promise<RestoredTake>;
  /** Undoes the restoring of a take. Rejects if something else has written the tape since. */
  undoRestore(params: UndoRestoreParams): Promise<void>;
  /** Deletes takes for good. */
  deleteTakes(params: DeleteTakesParams): Promise<void>;
};

export interface TakesParams extends TapeParams {
  /** The addresses of the cases that use the tape, relative to the root: their last runs may belong to a take. */
  readonly cases: readonly string[];
}

export interface TakeParams extends TapeParams {
  /** The file name of the take. */
  readonly take: string;
}

export interface DeleteTakesParams extends TapeParams {
  readonly takes: readonly string[];
}

export interface ListedTake extends KeptTake {
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

export interface UndoRestoreParams extends TakeParams {
  readonly previousTake?: string;
}

const PLACE = { root: isText, path: isInnerPath } as const;

export const takesGuards: Guards<TakesApi> = {
  takes: isShape<TakesParams>({ ...PLACE, cases: isListOf(isInnerPath) }),
  restoreTake: isShape<TakeParams>({ ...PLACE, take: isTake }),
  undoRestore: isShape<UndoRestoreParams>({ ...PLACE, take: isTake, previousTake: isMaybe(isTake) }),
  deleteTakes: isShape<DeleteTakesParams>({ ...PLACE, takes: isListOf(isTake) }),
};
