import { comparableFromWire, type WireRequest } from '../../../core/match/comparableRequest';
import { driftLine } from '../../../core/match/driftLine';
import type { Drift } from '../../../core/match/explainDrift';
import { formatMask } from '../../../core/match/masks';
import type { MissedRequest } from './report';

/** Describes a request without a recording for the result of a run. */
export function describeMissed(request: WireRequest, drift: Drift): MissedRequest {
  const { kind, nearest, masks } = drift;
  return {
    kind,
    line: driftLine(drift),
    masks: masks.map(formatMask),
    sent: comparableFromWire(request).body,
    ...(nearest === undefined ? {} : { nearest: nearest.index }),
  };
}
