import type { Chunk, HttpBody, HttpHeader } from '../../core/model/http';
import { bodyFromBytes } from '../../core/wire/body/body';

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
