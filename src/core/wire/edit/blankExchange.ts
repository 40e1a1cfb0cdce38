import { compactJson } from '../../json/json';
import type { HttpExchange, HttpHeader } from '../../model/http';
import type { ProtocolId } from '../../model/interaction';
import { PROTOCOLS, protocolById } from '../registry';

const JSON_HEADERS: readonly HttpHeader[] = [['content-type', 'application/json']];

/** A new call to the same URL, with an empty response; undefined if the protocol has no blank bodies. */
export function blankExchange(
  { method, url }: HttpExchange,
  api: ProtocolId | undefined,
  model: string | undefined,
): HttpExchange | undefined {
  const bodies = protocolById(api)?.blankBodies?.(model === undefined ? {} : { model });
  if (bodies === undefined) return undefined;
  return {
    method,
    url: unstreamedUrl(url),
    requestHeaders: JSON_HEADERS,
    requestBody: { type: 'text', text: compactJson(bodies.request) },
    status: 200,
    responseHeaders: JSON_HEADERS,
    responseBody: { type: 'text', text: compactJson(bodies.response) },
  };
}

/** Hosts serve several protocols under the same URLs. */
function unstreamedUrl(url: string): string {
  return PROTOCOLS.reduce((unstreamed, protocol) => protocol.unstreamedUrl?.(unstreamed) ?? unstreamed, url);
}
