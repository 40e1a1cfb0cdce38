import type { HttpHeader } from '../../../core/model/http';
import { comparablePath, endpointOf } from '../../../core/wire/endpoints';
import { headerOf } from '../../../core/wire/http';
import type { Route } from './route';

/** Addresses of an upstream in its responses, and what clients get in their place so that they come back to the proxy. */
export interface Links {
  /** Origin and base path, without a slash at the end. */
  readonly upstream: string;
  /** The base URL of the API at the proxy. */
  readonly proxy: string;
}

/** The links of responses to a request that went, or goes now, to `url`. */
export function linksOf(url: string, { upstream, ofHost, clientBase }: Route): Links {
  const { origin, pathname } = new URL(url);
  const path = (upstream.address ?? ofHost?.address)?.pathname.replace(/\/+$/, '');
  // A recording may have been made at another host, with the same base.
  const isBelow = path !== undefined && pathname.startsWith(`${path}/`);
  const base = isBelow ? path : pathname.slice(0, pathname.length - comparablePath(pathname).length);
  return { upstream: `${origin}${base}`, proxy: clientBase };
}

const LINK_HEADERS =
  /^(?:location|content-location|operation-location|azure-asyncoperation|x-goog-upload-(?:control-)?url)$/i;

/** Members whose whole value is an address, such as Anthropic's `results_url` and Gemini's `uri` of a file. */
const LINK_MEMBER =
  /(?<!\\)("(?:[\w@.$-]*(?:url|uri|href|link|location)|next|previous|get|cancel|stream|web)"\s*:\s*")(https?:(?:\\?\/){2}[^"\s]*)"/gi;

export function proxyHeaders(headers: readonly HttpHeader[], links: Links): HttpHeader[] {
  return headers.map(([name, value]) => (LINK_HEADERS.test(name) ? [name, proxyAddress(value, links)] : [name, value]));
}

export function proxyLinks(text: string, links: Links): string {
  return text.replace(LINK_MEMBER, (whole, before: string, address: string) => {
    const plain = address.replaceAll('\\/', '/');
    const led = proxyAddress(plain, links);
    return led === plain ? whole : `${before}${led}"`;
  });
}

function proxyAddress(address: string, { upstream, proxy }: Links): string {
  const rest = address.slice(upstream.length);
  return address.startsWith(upstream) && /^(?:$|[/?#])/.test(rest) ? `${proxy}${rest}` : address;
}

/**
 * Whether a response can have links in its body. What models say is left alone: an address in it is not for the client to follow.
 */
export function mayHaveLinks(url: string, headers: readonly HttpHeader[]): boolean {
  if (endpointOf(url).protocol !== undefined || headerOf(headers, 'content-encoding') !== undefined) return false;
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(headerOf(headers, 'content-type') ?? '');
}

/** Whether a recorded response has an address of its own upstream that a client may follow. */
export function hasLinks(url: string, headers: readonly HttpHeader[], body: () => string): boolean {
  const origin = /^https?:\/\/[^/?#]+/i.exec(url)?.[0];
  if (origin === undefined || !URL.canParse(url)) return false;
  const here = { upstream: origin, proxy: '' };
  if (headers.some(([name, value]) => LINK_HEADERS.test(name) && value.startsWith(origin))) return true;
  if (!mayHaveLinks(url, headers)) return false;
  const text = body();
  return proxyLinks(text, here) !== text;
}
