import type { RetakeCost } from '../../core/model/run';
import { isIndex, isListOf, isMaybe, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls that estimate the costs of recordings. */
export type RecordingCostsApi = {
  /** Of the cases that record a tape, in their order. */
  recordingCosts(params: RecordingCostsParams): Promise<readonly RecordingEstimate[]>;
  /** For an agent that is recorded again; null if there is no tape to estimate from. */
  tapeCost(params: TapeCostParams): Promise<RetakeCost | null>;
};

export interface RecordingCostsParams extends RootParams {
  readonly casePaths: readonly string[];
  /** The first interaction that is recorded, from 0. */
  readonly from?: number | undefined;
}

export interface TapeCostParams extends RootParams {
  readonly tapePath: string;
}

export interface RecordingEstimate {
  /** The element of `casePaths`. */
  readonly casePath: string;
  /** Absent if there is no tape to estimate from. */
  readonly cost?: RetakeCost;
  /** The price of the model, in words, if there is no tape. */
  readonly rate?: string;
}

export const recordingCostsGuards: Guards<RecordingCostsApi> = {
  recordingCosts: isShape<RecordingCostsParams>({
    root: isText,
    casePaths: isListOf(isText),
    from: isMaybe(isIndex),
  }),
  tapeCost: isShape<TapeCostParams>({ root: isText, tapePath: isText }),
};
