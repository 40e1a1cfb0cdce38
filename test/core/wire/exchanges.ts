import { encodeBase64 } from '../../../src/core/bytes/base64';
import type { Json } from '../../../src/core/json/json';
import { compactJson } from '../../../src/core/json/json';
import type { Chunk, HttpBody, HttpExchange, HttpHeader } from '../../../src/core/model/http';
import { writeEventStream } from '../../../src/core/wire/body/eventStream';

export const NO_BODY: HttpBody = { type: 'none' };

export function jsonBody(json: Json): HttpBody {
  return { type: 'text', text: compactJson(json) };
}

export function textBody(text: string): HttpBody {
  return { type: 'text', text };
}

export function base64Body(bytes: Uint8Array): HttpBody {
  return { type: 'base64', base64: encodeBase64(bytes) };
}

interface ResponseOptions {
  readonly status?: number;
  readonly headers?: readonly HttpHeader[];
  readonly method?: string;
}

/** `POST url` with a JSON body, or without a body. */
export function post(
  url: string,
  request: Json | undefined,
  responseBody: HttpBody,
  { status = 200, headers = [], method = 'POST' }: ResponseOptions = {},
): HttpExchange {
  return {
    method,
    url,
    requestHeaders: [],
    requestBody: request === undefined ? NO_BODY : jsonBody(request),
    status,
    responseHeaders: headers,
    responseBody,
  };
}

/** Server-sent events of JSON, or of text such as `[DONE]`. */
export function sse(...events: readonly (Json | readonly [event: string, data: Json])[]): string {
  return events.map((event) => (isNamed(event) ? sseEvent(event[1], event[0]) : sseEvent(event))).join('');
}

function isNamed(event: Json | readonly [string, Json]): event is readonly [string, Json] {
  return Array.isArray(event) && event.length === 2 && typeof event[0] === 'string';
}

function sseEvent(data: Json, event?: string): string {
  const text = typeof data === 'string' ? data : compactJson(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Events named after the `type` in their data, as Anthropic sends them. */
export function typedSse(...events: readonly { readonly type: string; readonly [key: string]: Json }[]): string {
  return events.map((event) => sseEvent(event, event.type)).join('');
}

export function ndjson(...lines: readonly Json[]): string {
  return lines.map((line) => `${compactJson(line)}\n`).join('');
}

/** An AWS event stream with one message per event. */
export function eventStream(...events: readonly (readonly [event: string, payload: Json])[]): Uint8Array {
  return writeEventStream(
    events.map(([event, payload]) => ({
      headers: [
        [/Exception$/.test(event) ? ':exception-type' : ':event-type', { type: 'string', value: event }],
        [':content-type', { type: 'string', value: 'application/json' }],
        [':message-type', { type: 'string', value: /Exception$/.test(event) ? 'exception' : 'event' }],
      ],
      payload: new TextEncoder().encode(compactJson(payload)),
    })),
  );
}

/** The pieces of a text that is split at these offsets. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((left, right) => left - right);
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length));
}

/** A body that is stored in chunks. */
export function chunkBody(pieces: readonly string[], delayMs?: number): HttpBody {
  const chunks = pieces.map((data): Chunk => (delayMs === undefined ? { data } : { data, delayMs }));
  return { type: 'chunks', chunks };
}
