import { comparableFromWire, type WireRequest } from '../../core/match/comparableRequest';
import { formatMask } from '../../core/match/masks';
import type { Mask } from '../../core/model/case';
import type { MissedRequest } from './report';

/** Describes a request without a recording for the result of a run. */
export function describeMissed(
  request: WireRequest,
  nearest: number | undefined,
  masks: readonly Mask[],
): MissedRequest {
  return {
    masks: masks.map(formatMask),
    sent: comparableFromWire(request).body,
    ...(nearest === undefined ? {} : { nearest }),
  };
}
