import { shape, text } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { ROOT } from './project';

/** The engine's call that makes a case from a run. */
export const makeCaseCalls = {
  /**
   * Writes a case made from the run on a trace or tape, with a tape of its own beside it, which has the name of the case with
   * `.tape.jsonl`. Both paths are absolute. Neither new file may exist.
   */
  makeCase: call(shape({ ...ROOT, tapePath: text(), casePath: text() }), returns<MadeCase>()),
};
export type MakeCaseApi = Answers<typeof makeCaseCalls>;
export type MakeCaseParams = Params<typeof makeCaseCalls.makeCase>;

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
