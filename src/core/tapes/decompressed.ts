import { encodeBase64 } from '../wire/base64';
import { decodeBody } from '../wire/body';
import type { HttpBody, HttpExchange, HttpHeader } from './tape';

/**
 * The exchange as it would have gone over the wire uncompressed, for recorders that store text. A body that is damaged,
 * and one that was not compressed, is the same object as before.
 */
export function decompressed(exchange: HttpExchange): HttpExchange {
  const [requestBody, requestHeaders] = plain(exchange.requestBody, exchange.requestHeaders);
  const [responseBody, responseHeaders] = plain(exchange.responseBody, exchange.responseHeaders);
  return { ...exchange, requestBody, requestHeaders, responseBody, responseHeaders };
}

function plain(body: HttpBody, headers: readonly HttpHeader[]): readonly [HttpBody, readonly HttpHeader[]] {
  const { decodedFrom, problems, bytes } = decodeBody(body, headers);
  if (problems.length > 0 || decodedFrom.every((layer) => layer === 'base64')) return [body, headers];
  return [{ type: 'base64', base64: encodeBase64(bytes) }, headers.flatMap((header) => fitting(header, bytes.length))];
}

/** A header of a packed body, as it is of the unpacked one of `length` bytes. */
export function fitting([name, value]: HttpHeader, length: number): HttpHeader[] {
  if (/^content-encoding$/i.test(name)) return [];
  return [[name, /^content-length$/i.test(name) ? `${length}` : value]];
}
