import type { Json } from '../json/json';

/** One frame of a streamed answer. */
export interface Chunk {
  /** Its payload: the data of a server-sent event, a line, the payload of a binary frame. */
  readonly data: string;
  /** What came over the network at a time was no text: `data` is base64. */
  readonly base64?: true;
  readonly event?: string;
  /** Milliseconds since the frame before, where it was recorded. */
  readonly delayMs?: number;
}

export type HttpHeader = readonly [name: string, value: string];

/** One HTTP request with its response, as recorded: nothing decoded, nothing left out. */
export interface HttpExchange {
  readonly method: string;
  /** Absolute, or only the path where the format does not keep the host. */
  readonly url: string;
  readonly requestHeaders: readonly HttpHeader[];
  readonly requestBody: HttpBody;
  /** Absent where no response was recorded. */
  readonly status?: number;
  readonly responseHeaders: readonly HttpHeader[];
  readonly responseBody: HttpBody;
  /** How the answer ended where it did not come to its end. */
  readonly ended?: ResponseEnding;
}

/** The other side closed the connection, or reset it, or fell silent, before the answer was whole. */
export type ResponseEnding = 'closed' | 'reset' | 'silent';

/** A body in the form in which its format keeps it; `wire/body.ts` decodes it on demand. */
export type HttpBody =
  | { readonly type: 'none' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'base64'; readonly base64: string }
  /** A format that stores JSON bodies parsed. */
  | { readonly type: 'json'; readonly json: Json }
  /** A format that stores a streamed body frame by frame. */
  | { readonly type: 'chunks'; readonly chunks: readonly Chunk[] };
