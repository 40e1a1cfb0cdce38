import { isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about recordings whose process ended before they were saved. */
export type InterruptedRecordingsApi = {
  /** Oldest first. */
  interruptedRecordings(params: RootParams): Promise<readonly InterruptedRecording[]>;
  /** Saves a recording as its tape; the take that it replaces is kept. Returns how many interactions the tape has now. */
  recoverRecording(params: InterruptedRecordingParams): Promise<number>;
  /** Removes a recording for good. */
  discardRecording(params: InterruptedRecordingParams): Promise<void>;
};

/** A recording whose process ended before it was saved. */
export interface InterruptedRecording {
  /** The name of its journal. */
  readonly id: string;
  /** The tape that it was for, from the root. */
  readonly tape: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly interactions: number;
}

export interface InterruptedRecordingParams extends RootParams {
  readonly id: string;
}

export const interruptedRecordingsGuards: Guards<InterruptedRecordingsApi> = {
  interruptedRecordings: isShape<RootParams>({ root: isText }),
  recoverRecording: isShape<InterruptedRecordingParams>({ root: isText, id: isText }),
  discardRecording: isShape<InterruptedRecordingParams>({ root: isText, id: isText }),
};
