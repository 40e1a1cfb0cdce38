import { md5Hex } from '../../hash/md5';
import type { HttpExchange, HttpHeader } from '../tape';
import { textOfBody } from './writtenBody';

/**
 * What Polly.JS finds a request by, as it is configured by itself (`matchRequestsBy` of @pollyjs/core 6): the MD5 of the
 * JSON of what it compares, with its keys in order. A test that leaves headers or parts of the address out of the
 * comparison finds its requests by another `_id`.
 */
export function pollyId({ method, url, requestHeaders, requestBody }: HttpExchange): string {
  const body = textOfBody(requestBody);
  const compared = { ...(body ? { body } : {}), headers: headerValues(requestHeaders), method: method.toUpperCase() };
  return md5Hex(JSON.stringify({ ...compared, url: comparedUrl(url) }));
}

/** By name, in lower case and in order; a name that is repeated has a list. */
function headerValues(headers: readonly HttpHeader[]): Record<string, string | readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  const sorted = [...values].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
  );
}

/** Without its fragment, the query in the order of its names, each of which counts once. */
function comparedUrl(url: string): string {
  const address = url.replace(/#.*$/s, '');
  const at = address.indexOf('?');
  if (at === -1) return address;
  const query = new Map([...new URLSearchParams(address.slice(at + 1))].reverse());
  const sorted = [...query].sort(([left], [right]) => (left < right ? -1 : 1));
  const pairs = sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return address.slice(0, at) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}
