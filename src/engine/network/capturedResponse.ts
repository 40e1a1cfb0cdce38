import type { HttpHeader } from '../../core/model/http';

/** Whether a response with this status has a body. See RFC 9110, section 6.4.1. */
export function hasBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

/** A response as it came over the network. */
export interface CapturedResponse {
  readonly status: number;
  readonly headers: readonly HttpHeader[];
  readonly pieces: readonly CapturedPiece[];
  readonly durationMs: number;
  readonly firstPieceMs: number | undefined;
  /** The connection ended before the response did. */
  readonly cutOff: boolean;
  /** The pieces are only the beginning: the response was longer than what is kept. */
  readonly isBeginning: boolean;
}

export interface CapturedPiece {
  readonly bytes: Buffer;
  /** Since the previous piece, or since the request. */
  readonly delayMs: number;
}

/** The reason why the upstream did not respond. Nothing has been sent to the client yet. */
export interface Unreachable {
  readonly unreachable: string;
}
