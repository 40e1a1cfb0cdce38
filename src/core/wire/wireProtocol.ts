import type { Json, JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse } from '../tapes/tape';
import type { WireApi } from './wireApi';

/** A frame of a stream. */
export interface StreamEvent {
  /** The name it was sent under. */
  readonly event?: string;
  readonly data: string;
  /** The object in the data; empty where the data is none. */
  readonly json: JsonRecord;
}

/**
 * A protocol, as one file knows it. The readers take whatever is there: what they do not understand becomes an
 * `unknown` part, what is missing is left out. Nothing throws.
 */
export interface WireProtocol {
  readonly api: WireApi;
  readonly kind: 'llm' | 'embedding';
  /** Matches the path of an address at which only this protocol is served. */
  readonly path: RegExp;
  /** Matches paths that others serve as well: the bodies decide. */
  readonly maybePath?: RegExp;
  /** Matches paths from which an answer is fetched when it is there, with GET. */
  readonly fetched?: RegExp;
  isRequest(body: Json): boolean;
  isResponse(body: Json): boolean;
  isEvent(event: StreamEvent): boolean;
  readRequest(body: JsonRecord): ChatRequest;
  readResponse(body: Json): ChatResponse;
  /** Puts the pieces of a stream together: into the answer as the protocol sends it when nobody asks for a stream. */
  join(events: readonly StreamEvent[]): JsonRecord;
}
