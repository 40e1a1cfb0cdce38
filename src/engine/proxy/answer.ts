/** A recorded answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Where the pieces of a stream end in the body, and how long each let wait for it. */
  readonly pieces?: readonly Piece[];
  /** To be called when the body was sent: its memory is used again. */
  release?(): void;
  /** The connection broke after this. */
  readonly broken?: true;
}

export interface Piece {
  readonly end: number;
  readonly delayMs: number;
}

export function hasBody(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}
