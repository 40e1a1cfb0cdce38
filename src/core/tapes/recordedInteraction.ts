import type { Interaction } from './tape';
import type { RecordedInteraction } from './tapeFormat';

/** What of an interaction can be written to another tape. */
export function recordedInteraction({ kind, request, response, http, timing }: Interaction): RecordedInteraction {
  return {
    kind,
    ...(request && { request }),
    ...(response && { response }),
    ...(http && { http }),
    ...(timing && { timing }),
  };
}
