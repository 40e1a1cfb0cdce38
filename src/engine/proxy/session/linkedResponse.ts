import { type Links, mayHaveLinks, proxyHeaders, proxyLinks } from '../routes/links';
import type { ServedResponse } from '../tape/servedResponse';

/** The response with addresses that lead back to the proxy. */
export function withProxyLinks(response: ServedResponse, links: Links, url: string): ServedResponse {
  const pairs = pairsOf(response.headers);
  const body = mayHaveLinks(url, pairs) ? Buffer.from(proxyLinks(response.body.toString(), links)) : response.body;
  const headers = proxyHeaders(pairs, links).flatMap(([name, value]) =>
    name === 'content-length' ? [name, String(body.length)] : [name, value],
  );
  return { ...response, headers, body };
}

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : []));
}
