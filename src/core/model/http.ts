import type { Json } from '../json/json';

/** One frame of a streamed response. */
export interface Chunk {
  /** The payload: the data of a server-sent event, a line, or the payload of a binary frame. */
  readonly data: string;
  /** `data` is base64, because the network data is not valid text. */
  readonly base64?: true;
  /** Of a talk: `client` or `server`, who sent this, `last`, or `close`. See `core/wire/realtime/talk.ts`. */
  readonly event?: string;
  /** Milliseconds since the previous frame, if recorded. */
  readonly delayMs?: number;
}

export type HttpHeader = readonly [name: string, value: string];

/** One HTTP request, as recorded: nothing decoded, nothing left out. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, or only a path if the format does not store the host. */
  readonly url: string;
  readonly requestHeaders: readonly HttpHeader[];
  readonly requestBody: HttpBody;
}

/** The same with its response. */
export interface HttpExchange extends HttpRequest {
  /** Absent if no response was recorded. */
  readonly status?: number;
  readonly responseHeaders: readonly HttpHeader[];
  readonly responseBody: HttpBody;
  /** How an incomplete response ended. */
  readonly ended?: ResponseEnding;
  /** Why the response, or its body, is not on the tape. An empty body is no body that was not kept. */
  readonly notKept?: NotKept;
}

/** Why a tape has a request without its response. */
export type NotKept =
  /** The request failed: there was none. `reason` is what the recorder says of it. */
  | { readonly why: 'failed'; readonly reason?: string }
  /** The recorder put the body into another file. */
  | { readonly why: 'elsewhere'; readonly file: string }
  /** The recorder had a body and left it out, or does not say that there was none. `size` is in bytes. */
  | { readonly why: 'dropped'; readonly size?: number }
  /** Nothing is said of it. */
  | { readonly why: 'absent' };

/** The provider closed or reset the connection, or sent nothing more, before the response was complete. */
export type ResponseEnding = 'closed' | 'reset' | 'silent';

/** A body in the form in which its format stores it; `core/wire/body` decodes it on demand. */
export type HttpBody =
  | { readonly type: 'none' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'base64'; readonly base64: string }
  /** A format that stores JSON bodies parsed. */
  | { readonly type: 'json'; readonly json: Json }
  /** A format that stores a streamed body frame by frame. */
  | { readonly type: 'chunks'; readonly chunks: readonly Chunk[] };
