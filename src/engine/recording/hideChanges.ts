import type { Change, ChangeSet } from '../../core/model/change';
import type { Recorder } from './recorder';

/** Changes whose titles and texts contain no secrets, for a report; `pending` are those of them without a decision. */
export function hideChanges<T extends ChangeSet & { readonly pending?: readonly Change[] }>(
  set: T,
  recorder: Recorder,
): T {
  const { changes, hidden, notices, pending } = set;
  return {
    ...set,
    ...(pending && { pending: recorder.value(pending) }),
    changes: recorder.value(changes),
    hidden: recorder.value(hidden),
    notices: recorder.value(notices),
  };
}
