import type { ChangeSet } from '../../core/model/change';
import type { Recorder } from './recorder';

/** Changes whose titles and texts contain no secrets, for a report. */
export function hideChanges<T extends ChangeSet>(set: T, recorder: Recorder): T {
  const { changes, hidden, notices } = set;
  return {
    ...set,
    changes: recorder.value(changes),
    hidden: recorder.value(hidden),
    notices: recorder.value(notices),
  };
}
