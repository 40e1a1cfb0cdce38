import { comparableFromWire, type WireRequest } from '../../core/match/comparableRequest';
import { formatMask } from '../../core/match/masks';
import type { Mask } from '../../core/model/case';
import type { MissedRequest } from './report';

/** What a run needs to know of a request that the tape has no answer to; the proxy itself can do without. */
export function describeMissed(
  request: WireRequest,
  nearest: number | undefined,
  masks: readonly Mask[],
): MissedRequest {
  return {
    masks: masks.map(formatMask),
    asked: comparableFromWire(request).body,
    ...(nearest === undefined ? {} : { nearest }),
  };
}
