import { comparableWire } from '../../core/match/comparable';
import { type Mask, maskText } from '../../core/match/masks';
import type { WireRequest } from '../../core/match/wireRequest';
import type { MissedRequest } from './report';

/** What a run needs to know of a request that the tape has no answer to; the proxy itself can do without. */
export function describeMissed(
  request: WireRequest,
  nearest: number | undefined,
  masks: readonly Mask[],
): MissedRequest {
  return {
    masks: masks.map(maskText),
    asked: comparableWire(request).body,
    ...(nearest === undefined ? {} : { nearest }),
  };
}
