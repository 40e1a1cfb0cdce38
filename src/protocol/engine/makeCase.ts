import { isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's call that makes a case from a run. */
export type MakeCaseApi = {
  /** Writes a case made from the run on a tape, with a tape of its own beside it. Neither may exist. */
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
  /** How many of them are on the tape of the case. */
  readonly kept: number;
  /** What is missing in the run or left out of the case: phrases. */
  readonly lacks: readonly string[];
  /** How many secrets of the run are in the new files. */
  readonly secrets: number;
}

export const makeCaseGuards: Guards<MakeCaseApi> = {
  makeCase: isShape<MakeCaseParams>({ root: isText, tapePath: isText, casePath: isText }),
};
