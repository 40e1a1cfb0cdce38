import type { HttpHeader } from '../tapes/tape';

/** One HTTP request as an agent made it, already redacted. */
export interface WireRequest {
  readonly method: string;
  /** Path and query; a host before it does not matter. */
  readonly url: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
}
