import type { IncomingMessage } from 'node:http';
import { comparableFromWire, type WireRequest } from '../../core/match/comparableRequest';
import { formatMask } from '../../core/match/masks';
import type { Mask } from '../../core/model/case';
import { isKeptRequestHeader, type Redactor } from '../../core/secrets/redactor';
import type { MissedRequest } from './report';

/** A request without its secrets, as it is compared and recorded. */
export interface RedactedRequest extends WireRequest {
  /** Its body cannot be unpacked, so that nobody can tell what is in it: the one that is here is none that was sent. */
  readonly isSealed: boolean;
}

const SEALED = Buffer.from('[a body that cannot be unpacked]');

export function redactedRequest(
  { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
  sent: Buffer,
  redactor: Redactor,
): RedactedRequest {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const body = redactor.body(sent, pairs);
  const kept = pairs.filter(([name]) => isKeptRequestHeader(name));
  return {
    method,
    url: redactor.url(path),
    headers: redactor.headers(kept),
    body: body ?? SEALED,
    isSealed: body === undefined,
  };
}

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
