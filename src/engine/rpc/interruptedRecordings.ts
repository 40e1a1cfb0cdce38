import type { InterruptedRecordingsApi } from '../../contracts/engine/interruptedRecordings';
import { discardRecording, interruptedRecordings, recoverRecording } from '../recording/interrupted';
import { createRecorders } from '../recording/openRecorder';

/** The calls with which the editor offers recordings that were interrupted. */
export const calls: InterruptedRecordingsApi = {
  interruptedRecordings: ({ root }) => interruptedRecordings(root),
  recoverRecording: async ({ root, id }) => {
    const recorder = await createRecorders(process.env)(root);
    return (await recoverRecording(root, id, recorder)).interactions;
  },
  discardRecording: ({ root, id }) => discardRecording(root, id),
};
