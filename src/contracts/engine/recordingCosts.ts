import type { RetakeCost } from '../../core/model/run';
import { count, list, optional, shape, text } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { ROOT } from './project';

/** The engine's calls that estimate the costs of recordings. */
export const recordingCostsCalls = {
  /** Of the cases that record a tape, in their order; of the interactions from `from` on, counted from 0. */
  recordingCosts: call(
    shape({ ...ROOT, casePaths: list(text()), from: optional(count()) }),
    returns<readonly RecordingEstimate[]>(),
  ),
  /** For an agent that is recorded again; null if there is no tape to estimate from. */
  tapeCost: call(shape({ ...ROOT, tapePath: text() }), returns<RetakeCost | null>()),
};
export type RecordingCostsApi = Answers<typeof recordingCostsCalls>;
export type RecordingCostsParams = Params<typeof recordingCostsCalls.recordingCosts>;

export interface RecordingEstimate {
  /** The element of `casePaths`. */
  readonly casePath: string;
  /** Absent if there is no tape to estimate from. */
  readonly cost?: RetakeCost;
  /** The price of the model, in words, if there is no tape. */
  readonly rate?: string;
}
