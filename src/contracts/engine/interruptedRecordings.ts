import { shape, text } from '../../core/schema/schema';
import { type Answers, call, returns } from '../contract';
import { inProject, ROOT } from './project';

const recording = shape({ ...ROOT, id: text() });

/** The engine's calls about recordings that were not saved. */
export const interruptedRecordingsCalls = {
  /** Oldest first. */
  interruptedRecordings: call(inProject, returns<readonly InterruptedRecording[]>()),
  /** Saves a recording as its tape; the take that it replaces is kept. Returns how many interactions the tape has now. */
  recoverRecording: call(recording, returns<number>()),
  /** Removes a recording for good. */
  discardRecording: call(recording, returns<void>()),
};
export type InterruptedRecordingsApi = Answers<typeof interruptedRecordingsCalls>;

/** A recording that was not saved: its process ended before, or its run failed. */
export interface InterruptedRecording {
  /** The name of its journal. */
  readonly id: string;
  /** The tape that it was for, from the root. */
  readonly tape: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly interactions: number;
  /** It was made to its end, and was not saved because its run failed. */
  readonly failed?: true;
}
