import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { compactJson } from '../../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../../model/http';
import { bodyFromBytes, chunkBytes, codingsOf, decodeContent } from './body';

/**
 * The exchange as it would have been sent uncompressed, for formats that store text. A body that is damaged, or that HTTP did not
 * compress, such as a file that was asked for, is returned unchanged.
 */
export function decompressExchange(exchange: HttpExchange): HttpExchange {
  const [requestBody, requestHeaders] = decompressBody(exchange.requestBody, exchange.requestHeaders);
  const [responseBody, responseHeaders] = decompressBody(exchange.responseBody, exchange.responseHeaders);
  return { ...exchange, requestBody, requestHeaders, responseBody, responseHeaders };
}

function decompressBody(body: HttpBody, headers: readonly HttpHeader[]): readonly [HttpBody, readonly HttpHeader[]] {
  if (codingsOf(headers).length === 0) return [body, headers];
  const { decodedFrom, problems, bytes } = decodeContent(body, headers);
  if (problems.length > 0 || decodedFrom.every((layer) => layer === 'base64')) return [body, headers];
  return [bodyFromBytes(bytes), headers.flatMap((header) => decompressedHeader(header, bytes.length))];
}

/** A header of a compressed body, adapted to the decompressed body of `length` bytes; none if it no longer applies. */
export function decompressedHeader([name, value]: HttpHeader, length: number): HttpHeader[] {
  if (/^content-encoding$/i.test(name)) return [];
  return [[name, /^content-length$/i.test(name) ? `${length}` : value]];
}

/** A body as text if it is UTF-8, otherwise as base64; undefined if there is none. */
export function bodyContent(body: HttpBody): { readonly text: string } | { readonly base64: string } | undefined {
  switch (body.type) {
    case 'none':
      return undefined;
    case 'text':
      return { text: body.text };
    case 'json':
      return { text: compactJson(body.json) };
    case 'chunks':
      if (body.chunks.some(({ base64 }) => base64)) return textOrBase64(encodeBase64(chunkBytes(body.chunks)));
      return { text: body.chunks.map(eventText).join('') };
    case 'base64':
      return textOrBase64(body.base64.replace(/\s+/g, ''));
  }
}

/** A chunk is a piece of network data or, with an event name, a parsed server-sent event. */
function eventText({ event, data }: { readonly event?: string; readonly data: string }): string {
  return event === undefined ? data : `event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}

function textOrBase64(base64: string): { readonly text: string } | { readonly base64: string } {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return { base64 };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64 };
  }
}
