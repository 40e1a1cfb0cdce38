import type { Chunk, HttpBody, HttpExchange } from '../../core/model/http';
import type { RecordedInteraction } from '../../core/model/interaction';
import { redactedReading } from '../../core/secrets/redactExchange';
import type { Redactor } from '../../core/secrets/redactor';
import { bodyFromBytes } from '../../core/wire/body/body';
import { decompressedHeader } from '../../core/wire/body/bodyContent';
import { headerOf } from '../../core/wire/http';
import type { CapturedPiece, CapturedResponse } from '../network/capturedResponse';
import type { HiddenRequest } from './hidden';

/** One exchange with an upstream. */
export interface CapturedExchange {
  readonly wire: HiddenRequest;
  readonly target: URL;
  readonly captured: CapturedResponse;
  readonly startedAt: Date;
}

/**
 * The interaction that a tape keeps of an exchange, without secrets; undefined if a part of it cannot be searched.
 */
export function hideExchange(
  { wire, target, captured, startedAt }: CapturedExchange,
  redactor: Redactor,
): RecordedInteraction | undefined {
  const raw = Buffer.concat(captured.pieces.map(({ bytes }) => bytes));
  const kept = redactor.body(raw, captured.headers);
  if (kept === undefined || wire.isSealed) return undefined;
  const streamed = isStream(headerOf(captured.headers, 'content-type') ?? '');
  const headers = redactor.headers(captured.headers);
  const plain: HttpExchange = {
    method: wire.method,
    url: redactor.url(withoutUser(target)),
    requestHeaders: wire.headers,
    requestBody: bodyFromBytes(wire.body),
    status: captured.status,
    responseHeaders: kept === raw ? headers : headers.flatMap((header) => decompressedHeader(header, kept.length)),
    // Where a secret was removed, or the body was compressed, the borders of the pieces are no longer known.
    responseBody: streamed && kept === raw ? streamedBody(captured.pieces) : bodyFromBytes(kept),
    ...((captured.cutOff || captured.isBeginning) && { ended: 'reset' as const }),
  };
  const timing = {
    recordedAt: startedAt.toISOString(),
    durationMs: Math.round(captured.durationMs),
    ...(captured.firstPieceMs === undefined ? {} : { firstTokenMs: Math.round(captured.firstPieceMs) }),
  };
  const read = redactedReading(plain, redactor.search);
  if (read === undefined) return undefined;
  const { exchange, kind, request, response } = read;
  return { kind, request, response, http: exchange, timing };
}

function withoutUser(target: URL): string {
  const url = new URL(target);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Whether a response with this content type is a stream. */
function isStream(contentType: string): boolean {
  return /event-stream|ndjson|eventstream|x-json-stream/i.test(contentType);
}

/** The body of a stream for a tape, piece by piece. */
function streamedBody(pieces: readonly CapturedPiece[]): HttpBody {
  const whole = bodyFromBytes(Buffer.concat(pieces.map(({ bytes }) => bytes)));
  if (whole.type === 'none') return whole;
  return { type: 'chunks', chunks: whole.type === 'text' ? textChunks(pieces) : pieces.map(binaryChunk) };
}

function binaryChunk({ bytes, delayMs }: CapturedPiece): Chunk {
  return { data: bytes.toString('base64'), base64: true, delayMs: Math.round(delayMs) };
}

/** The pieces as text. A character that is split between two pieces belongs to the second. */
function textChunks(pieces: readonly CapturedPiece[]): Chunk[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return pieces.map(({ bytes, delayMs }) => ({
    data: decoder.decode(bytes, { stream: true }),
    delayMs: Math.round(delayMs),
  }));
}
