import { decodeBase64 } from '../../../bytes/base64';
import { encodeHex } from '../../../bytes/hex';
import { md5Hex } from '../../../hash/digest';
import { canonicalJson } from '../../../json/canonicalJson';
import type { Json, JsonRecord } from '../../../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import { bodyBase64, bodyText } from '../shared/recordedHttp';

/** The id by which Polly.JS finds a request with `matchRequestsBy: { headers: false }`. */
export function pollyId(exchange: HttpExchange): string {
  return md5Hex(canonicalJson(comparedParts(exchange)));
}

/**
 * The ids that Polly.JS (@pollyjs/core 6) makes of a request: the MD5 of the JSON of the compared parts, with sorted keys. By default
 * it compares all headers, of which a tape seldom has those of the connection, and never the secret ones.
 */
export function pollyIds(exchange: HttpExchange): readonly string[] {
  const headers = comparedHeaders(exchange.requestHeaders);
  return [pollyId(exchange), md5Hex(canonicalJson({ ...comparedParts(exchange), headers }))];
}

function comparedParts({ method, url, requestBody }: HttpExchange): JsonRecord {
  const body = bodyText(requestBody) ?? hexOf(requestBody);
  return { ...(body ? { body } : {}), method: method.toUpperCase(), url: comparedUrl(url) };
}

/** Polly.JS compares a binary body by its bytes in hexadecimal. */
function hexOf(body: HttpBody): string {
  return encodeHex(decodeBase64(bodyBase64(body) ?? '') ?? new Uint8Array());
}

/** By name, in lower case; a header that was sent several times is a list. */
function comparedHeaders(headers: readonly HttpHeader[]): JsonRecord {
  const compared: Record<string, Json> = {};
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    const before = compared[name];
    compared[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return compared;
}

/** The URL without its fragment, with a sorted query in which each name occurs once. */
function comparedUrl(url: string): string {
  const address = url.replace(/#.*$/s, '');
  const at = address.indexOf('?');
  if (at === -1) return address;
  const query = new Map([...new URLSearchParams(address.slice(at + 1))].reverse());
  const sorted = [...query].sort(([left], [right]) => (left < right ? -1 : 1));
  const pairs = sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return address.slice(0, at) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}
