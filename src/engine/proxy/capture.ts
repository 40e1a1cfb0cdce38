import type { Chunk, HttpBody, HttpHeader } from '../../core/tapes/tape';

/** An answer as it came over the network. */
export interface CapturedAnswer {
  readonly status: number;
  readonly headers: readonly HttpHeader[];
  readonly pieces: readonly CapturedPiece[];
  readonly durationMs: number;
  readonly firstPieceMs: number | undefined;
  /** The connection ended before the answer did. */
  readonly cutOff: boolean;
}

export interface CapturedPiece {
  readonly bytes: Buffer;
  /** Since the piece before, or since the request. */
  readonly delayMs: number;
}

/** Does the content type say that the answer is a stream? */
export function isStream(contentType: string): boolean {
  return /event-stream|ndjson|eventstream|x-json-stream/i.test(contentType);
}

/** The body for a tape: a stream piece by piece, everything else at once. */
export function capturedBody(
  pieces: readonly CapturedPiece[],
  streamed: boolean,
  redact: (text: string) => string,
): HttpBody {
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
  if (bytes.length === 0) return { type: 'none' };
  const text = utf8(bytes);
  if (text === undefined) return { type: 'base64', base64: bytes.toString('base64') };
  const redacted = redact(text);
  // Where something had to be taken out, the borders of the pieces are no longer known.
  if (!streamed || redacted !== text) return { type: 'text', text: redacted };
  const chunks = textChunks(pieces);
  return chunks === undefined ? { type: 'text', text } : { type: 'chunks', chunks };
}

export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A piece may end inside a character; then the character belongs to the next one. */
function textChunks(pieces: readonly CapturedPiece[]): Chunk[] | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return pieces.map(({ bytes, delayMs }) => ({
      data: decoder.decode(bytes, { stream: true }),
      delayMs: Math.round(delayMs),
    }));
  } catch {
    return undefined;
  }
}
