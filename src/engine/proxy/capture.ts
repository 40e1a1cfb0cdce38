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
  if (text === undefined) {
    return streamed
      ? { type: 'chunks', chunks: pieces.map(binaryChunk) }
      : { type: 'base64', base64: bytes.toString('base64') };
  }
  const redacted = redact(text);
  // Where something had to be taken out, the borders of the pieces are no longer known.
  return streamed && redacted === text
    ? { type: 'chunks', chunks: textChunks(pieces) }
    : { type: 'text', text: redacted };
}

export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
