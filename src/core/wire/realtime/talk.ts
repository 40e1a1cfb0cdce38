import { asRecord, asString, omitUndefined } from '../../json/fields';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpBody, HttpExchange } from '../../model/http';

export type TalkEnd = 'client' | 'server';

/** A message of a WebSocket, whatever frames it came in: never compressed. */
export interface TalkMessage {
  readonly from: TalkEnd;
  /** The text, or base64 of what was sent as binary. */
  readonly data: string;
  readonly base64?: true;
  /** Milliseconds since the message before, whoever sent that, or since the handshake. */
  readonly delayMs?: number;
}

/** Who closed the connection first, with the code and reason of RFC 6455, section 7.4. */
export interface TalkClose {
  readonly from: TalkEnd;
  /** 1005 where none was given. */
  readonly code: number;
  readonly reason: string;
  readonly delayMs?: number;
}

/** What was said over a WebSocket. */
export interface Talk {
  readonly messages: readonly TalkMessage[];
  /** Absent if the connection broke off. */
  readonly close?: TalkClose;
}

/** The status of a handshake that succeeded: the messages are pieces of the response, each named after who sent it. */
export const SWITCHED = 101;

type Answered = Pick<HttpExchange, 'status' | 'responseBody'>;

/** Whether an exchange became a WebSocket of which both ends are on the tape. Other recorders keep the frames of one end as a stream. */
export function isTalk({ status, responseBody: body }: Answered): boolean {
  return status === SWITCHED && body.type === 'chunks' && body.chunks.every(({ event = '' }) => PIECES.has(event));
}

/** The messages of an exchange; undefined unless it became a WebSocket. */
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
  const chunks = messages.map(({ from, ...message }): Chunk => ({ event: from, ...message }));
  return { type: 'chunks', chunks: close === undefined ? chunks : [...chunks, closeChunk(close)] };
}

const PIECES: ReadonlySet<string> = new Set(['client', 'server', 'close']);

function messageOf({ event, data, base64, delayMs }: Chunk): TalkMessage | undefined {
  return event === 'client' || event === 'server' ? omitUndefined({ from: event, data, base64, delayMs }) : undefined;
}

function closeOf({ event, data, delayMs }: Chunk): TalkClose | undefined {
  if (event !== 'close') return undefined;
  const { from, code, reason } = asRecord(parseJson(data));
  return omitUndefined({
    from: from === 'client' ? ('client' as const) : ('server' as const),
    code: typeof code === 'number' ? code : 1005,
    reason: asString(reason) ?? '',
    delayMs,
  });
}

function closeChunk({ from, code, reason, delayMs }: TalkClose): Chunk {
  return omitUndefined({ event: 'close', data: JSON.stringify({ from, code, reason }), delayMs });
}
