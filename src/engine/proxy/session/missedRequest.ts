import { comparableFromWire, type WireRequest } from '../../../core/match/comparableRequest';
import { driftLine } from '../../../core/match/driftLine';
import type { Drift } from '../../../core/match/explainDrift';
import { formatMask } from '../../../core/match/masks';
import { noticeBeside } from '../../../core/text/notice';
import type { MissedRequest } from './report';

/** Describes a request without a recording for the result of a run. */
export function describeMissed(request: WireRequest, drift: Drift): MissedRequest {
  const { kind, nearest, masks } = drift;
  const said = noticeBeside(() => driftLine(drift));
  return {
    kind,
    line: driftLine(drift),
    ...(said && { said }),
    masks: masks.map(formatMask),
    sent: comparableFromWire(request).body,
    ...(nearest === undefined ? {} : { nearest: nearest.index }),
  };
}
