import { asList, asRecord, asString, omitUndefined } from '../../json/fields';
import type { Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpBody, HttpExchange, HttpHeader } from '../../model/http';
import { headerOf } from '../http';

export type TalkEnd = 'client' | 'server';

/** A message, whatever frames it came in: never compressed. */
export interface TalkMessage {
  readonly from: TalkEnd;
  /** The text, or base64 of what was sent as binary. */
  readonly data: string;
  readonly base64?: true;
  /** No message, but that a client of gRPC has none any more. */
  readonly isLast?: true;
  /** Milliseconds since the message before, whoever sent that, or since the handshake. */
  readonly delayMs?: number;
}

/** Who ended it first, with the code and reason of RFC 6455, section 7.4, or the status and message of gRPC. */
export interface TalkClose {
  readonly from: TalkEnd;
  /** 1005 where a WebSocket was given none. */
  readonly code: number;
  readonly reason: string;
  /** Of gRPC, without the status and its message. */
  readonly trailers?: readonly HttpHeader[];
  readonly delayMs?: number;
}

/** What two ends said to each other, over a WebSocket or in a call of gRPC. */
export interface Talk {
  readonly messages: readonly TalkMessage[];
  /** Absent if the connection broke off. */
  readonly close?: TalkClose;
}

/** The status of a handshake that succeeded: the messages are pieces of the response, each named after who sent it. */
export const SWITCHED = 101;
/** The content types of gRPC. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
export const GRPC_TYPE = /^application\/grpc(?![\w-])/i;

export type Carrier = 'websocket' | 'grpc';

type Answered = Pick<HttpExchange, 'status' | 'requestHeaders' | 'responseBody'>;

/** What carried the messages of an exchange of which both ends are on the tape. Other recorders keep those of one end as a stream. */
export function carrierOf({ status, requestHeaders, responseBody: body }: Answered): Carrier | undefined {
  if (body.type !== 'chunks' || body.chunks.some(({ event = '' }) => !PIECES.has(event))) return undefined;
  if (status === SWITCHED) return 'websocket';
  return GRPC_TYPE.test(headerOf(requestHeaders, 'content-type') ?? '') ? 'grpc' : undefined;
}

export function isTalk(exchange: Answered): boolean {
  return carrierOf(exchange) !== undefined;
}

/** The messages of an exchange; undefined for one that has none. */
export function talkOf(exchange: Answered): Talk | undefined {
  const { responseBody } = exchange;
  if (!isTalk(exchange) || responseBody.type !== 'chunks') return undefined;
  const { chunks } = responseBody;
  return omitUndefined({
    messages: chunks.flatMap((chunk) => messageOf(chunk) ?? []),
    close: chunks.map(closeOf).find((close) => close !== undefined),
  });
}

/** The body in which an exchange has them. */
export function talkBody({ messages, close }: Talk): HttpBody {
  const chunks = messages.map(
    ({ from, isLast, ...message }): Chunk =>
      isLast ? { ...message, event: 'last', data: JSON.stringify({ from }) } : { event: from, ...message },
  );
  return { type: 'chunks', chunks: close === undefined ? chunks : [...chunks, closeChunk(close)] };
}

const PIECES: ReadonlySet<string> = new Set(['client', 'server', 'last', 'close']);

function messageOf({ event, data, base64, delayMs }: Chunk): TalkMessage | undefined {
  if (event === 'last') return omitUndefined({ from: 'client' as const, data: '', isLast: true as const, delayMs });
  return event === 'client' || event === 'server' ? omitUndefined({ from: event, data, base64, delayMs }) : undefined;
}

function closeOf({ event, data, delayMs }: Chunk): TalkClose | undefined {
  if (event !== 'close') return undefined;
  const { from, code, reason, trailers } = asRecord(parseJson(data));
  return omitUndefined({
    from: from === 'client' ? ('client' as const) : ('server' as const),
    code: typeof code === 'number' ? code : 1005,
    reason: asString(reason) ?? '',
    trailers: trailers === undefined ? undefined : asList(trailers).flatMap(headerIn),
    delayMs,
  });
}

function headerIn(pair: Json): HttpHeader[] {
  const [name, value] = asList(pair);
  return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
}

function closeChunk({ delayMs, ...close }: TalkClose): Chunk {
  return omitUndefined({ event: 'close', data: JSON.stringify(close), delayMs });
}
