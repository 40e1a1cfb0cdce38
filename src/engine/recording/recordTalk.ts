import type { HttpExchange, HttpHeader } from '../../core/model/http';
import type { RecordedInteraction } from '../../core/model/interaction';
import type { Redactor } from '../../core/secrets/redactor';
import { type Carrier, SWITCHED, type Talk, talkBody } from '../../core/wire/realtime/talk';
import type { HiddenRequest } from './hidden';

/** What was said over a WebSocket, or in a call of gRPC. */
export interface CapturedTalk {
  readonly carrier: Carrier;
  readonly wire: HiddenRequest;
  /** Of HTTP. */
  readonly target: URL;
  /** Of the handshake, or before the first message. */
  readonly headers: readonly HttpHeader[];
  readonly talk: Talk;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Those of the response say nothing but that the handshake was right, or how messages were compressed. */
const OF_HANDSHAKE = /^(?:sec-websocket-(?:accept|extensions|version)|date|grpc-encoding|grpc-accept-encoding)$/i;

/** The interaction that a tape keeps of a talk, without secrets; undefined if a part of it cannot be searched. */
export function hideTalk(
  { carrier, wire, target, headers, talk, startedAt, durationMs }: CapturedTalk,
  redactor: Redactor,
): RecordedInteraction | undefined {
  if (wire.isSealed) return undefined;
  const url = new URL(target);
  url.username = '';
  url.password = '';
  const { close } = talk;
  const clean = close?.trailers === undefined ? close : { ...close, trailers: redactor.headers(close.trailers) };
  const isSocket = carrier === 'websocket';
  const http: HttpExchange = {
    method: isSocket ? 'GET' : 'POST',
    url: redactor.url(isSocket ? url.href.replace(/^http/, 'ws') : url.href),
    requestHeaders: wire.headers,
    requestBody: { type: 'none' },
    status: isSocket ? SWITCHED : 200,
    responseHeaders: redactor.headers(headers.filter(([name]) => !OF_HANDSHAKE.test(name))),
    responseBody: talkBody({ messages: talk.messages, close: clean }),
    ...(close === undefined && { ended: 'reset' as const }),
  };
  const timing = { recordedAt: startedAt.toISOString(), durationMs: Math.round(durationMs) };
  const read = redactor.exchange(http);
  if (read === undefined) return undefined;
  const { exchange, kind, request, response } = read;
  return { kind, request, response, http: exchange, timing };
}
