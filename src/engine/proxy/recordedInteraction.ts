import type { WireRequest } from '../../core/match/wireRequest';
import { redactExchange } from '../../core/secrets/redactExchange';
import type { Redactor } from '../../core/secrets/redactor';
import type { HttpBody, HttpExchange, HttpHeader } from '../../core/tapes/tape';
import type { RecordedInteraction } from '../../core/tapes/tapeFormat';
import { headerOf } from '../../core/wire/body';
import { type CapturedAnswer, capturedBody, isStream, utf8 } from './capture';

/** One request that an upstream has answered. */
export interface Exchange {
  /** Redacted. */
  readonly wire: WireRequest;
  readonly target: URL;
  readonly answer: CapturedAnswer;
  readonly startedAt: Date;
}

/** What a tape keeps of an exchange, without any secret. */
export function recordedInteraction(
  { wire, target, answer, startedAt }: Exchange,
  redactor: Redactor,
): RecordedInteraction {
  const streamed = isStream(headerOf(answer.headers, 'content-type') ?? '');
  const responseBody = capturedBody(answer.pieces, streamed, redactor.text);
  const captured: HttpExchange = {
    method: wire.method,
    url: redactor.url(withoutUser(target)),
    requestHeaders: wire.headers,
    requestBody: bodyOf(wire.body),
    status: answer.status,
    responseHeaders: redactor.headers(answer.headers).map((header) => rightLength(header, responseBody)),
    responseBody,
    ...(answer.cutOff && { ended: 'reset' as const }),
  };
  const timing = {
    recordedAt: startedAt.toISOString(),
    durationMs: Math.round(answer.durationMs),
    ...(answer.firstPieceMs === undefined ? {} : { firstTokenMs: Math.round(answer.firstPieceMs) }),
  };
  const { exchange, kind, request, response } = redactExchange(captured, redactor);
  return { kind, ...(request && { request }), ...(response && { response }), http: exchange, timing };
}

/** Of a body out of which something was taken, the length is another. */
function rightLength([name, value]: HttpHeader, body: HttpBody): HttpHeader {
  const isLength = name.toLowerCase() === 'content-length' && body.type === 'text';
  return [name, isLength ? String(Buffer.byteLength(body.text)) : value];
}

function withoutUser(target: URL): string {
  const url = new URL(target);
  url.username = '';
  url.password = '';
  return url.href;
}

function bodyOf(bytes: Uint8Array): HttpBody {
  if (bytes.length === 0) return { type: 'none' };
  const text = utf8(bytes);
  return text === undefined
    ? { type: 'base64', base64: Buffer.from(bytes).toString('base64') }
    : { type: 'text', text };
}
