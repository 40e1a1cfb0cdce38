import type { RootParams } from './engineReviews';
import { isShape, isText } from './guards';
import type { Guards } from './rpc';

/** The engine's call that makes a case of a run. */
export type MakeCaseApi = {
  /** Writes a case of the run on a tape, and its own tape beside it. Neither may exist. */
  makeCase(params: MakeCaseParams): Promise<MadeCase>;
};

export interface MakeCaseParams extends RootParams {
  /** A trace or tape; absolute. */
  readonly tapePath: string;
  /** The new case, absolute; its tape has the same name, with `.tape.jsonl`. */
  readonly casePath: string;
}

export interface MadeCase {
  /** Of the run. */
  readonly interactions: number;
  /** Of those, how many are on the tape of the case. */
  readonly kept: number;
  /** What the run lacks, and what of it is not in the case: phrases. */
  readonly lacks: readonly string[];
  /** How many secrets of the run are in the new files. */
  readonly secrets: number;
}

export const makeCaseGuards: Guards<MakeCaseApi> = {
  makeCase: isShape<MakeCaseParams>({ root: isText, tapePath: isText, casePath: isText }),
};
