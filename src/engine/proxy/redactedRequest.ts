import type { IncomingMessage } from 'node:http';
import { comparableFromWire, type WireRequest } from '../../core/match/comparableRequest';
import { formatMask } from '../../core/match/masks';
import type { Mask } from '../../core/model/case';
import { isKeptRequestHeader, type Redactor } from '../../core/secrets/redactor';
import type { MissedRequest } from './report';

/** A request without its secrets, as it is compared and recorded. */
export interface RedactedRequest extends WireRequest {
  /** The body that was sent cannot be decompressed, so that a stand-in takes its place. */
  readonly isSealed: boolean;
}

const SEALED = Buffer.from('[a body that cannot be decompressed]');

export function redactedRequest(
  { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
  sentBody: Buffer,
  redactor: Redactor,
): RedactedRequest {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const body = redactor.body(sentBody, pairs);
  const kept = pairs.filter(([name]) => isKeptRequestHeader(name));
  return {
    method,
    url: redactor.url(path),
    headers: redactor.headers(kept),
    body: body ?? SEALED,
    isSealed: body === undefined,
  };
}

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
