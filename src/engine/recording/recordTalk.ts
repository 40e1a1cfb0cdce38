import type { HttpExchange, HttpHeader } from '../../core/model/http';
import type { RecordedInteraction } from '../../core/model/interaction';
import type { Redactor } from '../../core/secrets/redactor';
import { SWITCHED, type Talk, talkBody } from '../../core/wire/realtime/talk';
import type { HiddenRequest } from './hidden';

/** What was said over a WebSocket. */
export interface CapturedTalk {
  readonly wire: HiddenRequest;
  /** Of HTTP. */
  readonly target: URL;
  /** Of the handshake. */
  readonly headers: readonly HttpHeader[];
  readonly talk: Talk;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Those of the response say nothing but that the handshake was right. */
const OF_HANDSHAKE = /^(?:sec-websocket-(?:accept|extensions|version)|date)$/i;

/** The interaction that a tape keeps of a WebSocket, without secrets; undefined if a part of it cannot be searched. */
export function hideTalk(
  { wire, target, headers, talk, startedAt, durationMs }: CapturedTalk,
  redactor: Redactor,
): RecordedInteraction | undefined {
  if (wire.isSealed) return undefined;
  const url = new URL(target);
  url.username = '';
  url.password = '';
  const http: HttpExchange = {
    method: 'GET',
    url: redactor.url(url.href.replace(/^http/, 'ws')),
    requestHeaders: wire.headers,
    requestBody: { type: 'none' },
    status: SWITCHED,
    responseHeaders: redactor.headers(headers.filter(([name]) => !OF_HANDSHAKE.test(name))),
    responseBody: talkBody(talk),
    ...(talk.close === undefined && { ended: 'reset' as const }),
  };
  const timing = { recordedAt: startedAt.toISOString(), durationMs: Math.round(durationMs) };
  const read = redactor.exchange(http);
  if (read === undefined) return undefined;
  const { exchange, kind, request, response } = read;
  return { kind, ...(request && { request }), ...(response && { response }), http: exchange, timing };
}
