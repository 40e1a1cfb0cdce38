import type { Chunk, HttpBody, HttpExchange } from '../../core/model/http';
import type { RecordedInteraction } from '../../core/model/interaction';
import { type Redactor, redactExchange } from '../../core/secrets/redactor';
import { bodyFromBytes } from '../../core/wire/body/body';
import { decompressedHeader } from '../../core/wire/body/bodyContent';
import { headerOf } from '../../core/wire/http';
import type { CapturedPiece, CapturedResponse } from '../network/capturedResponse';
import type { RedactedRequest } from './redactedRequest';

/** One request that an upstream has answered. */
export interface CapturedExchange {
  readonly wire: RedactedRequest;
  readonly target: URL;
  readonly answer: CapturedResponse;
  readonly startedAt: Date;
}

/** What a tape keeps of an exchange, without any secret; undefined where nobody can tell what is in one of its bodies. */
export function recordableInteraction(
  { wire, target, answer, startedAt }: CapturedExchange,
  redactor: Redactor,
): RecordedInteraction | undefined {
  const raw = Buffer.concat(answer.pieces.map(({ bytes }) => bytes));
  const kept = redactor.body(raw, answer.headers);
  if (kept === undefined || wire.isSealed) return undefined;
  const streamed = isStream(headerOf(answer.headers, 'content-type') ?? '');
  const headers = redactor.headers(answer.headers);
  const captured: HttpExchange = {
    method: wire.method,
    url: redactor.url(withoutUser(target)),
    requestHeaders: wire.headers,
    requestBody: bodyFromBytes(wire.body),
    status: answer.status,
    responseHeaders: kept === raw ? headers : headers.flatMap((header) => decompressedHeader(header, kept.length)),
    // Where something had to be taken out, or was packed, the borders of the pieces are no longer known.
    responseBody: streamed && kept === raw ? streamedBody(answer.pieces) : bodyFromBytes(kept),
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

function withoutUser(target: URL): string {
  const url = new URL(target);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Does the content type say that the answer is a stream? */
export function isStream(contentType: string): boolean {
  return /event-stream|ndjson|eventstream|x-json-stream/i.test(contentType);
}

/** The body of a stream for a tape, piece by piece. */
export function streamedBody(pieces: readonly CapturedPiece[]): HttpBody {
  const whole = bodyFromBytes(Buffer.concat(pieces.map(({ bytes }) => bytes)));
  if (whole.type === 'none') return whole;
  return { type: 'chunks', chunks: whole.type === 'text' ? textChunks(pieces) : pieces.map(binaryChunk) };
}

function binaryChunk({ bytes, delayMs }: CapturedPiece): Chunk {
  return { data: bytes.toString('base64'), base64: true, delayMs: Math.round(delayMs) };
}

/** A piece may end inside a character; then the character belongs to the next one. */
function textChunks(pieces: readonly CapturedPiece[]): Chunk[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return pieces.map(({ bytes, delayMs }) => ({
    data: decoder.decode(bytes, { stream: true }),
    delayMs: Math.round(delayMs),
  }));
}
