import type { HttpHeader } from '../../core/model/http';

export function hasBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

/** An answer as it came over the network. */
export interface CapturedResponse {
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
