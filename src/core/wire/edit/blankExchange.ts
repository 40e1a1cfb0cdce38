import { compactJson } from '../../json/json';
import type { HttpExchange, HttpHeader } from '../../model/http';
import type { ProtocolId } from '../../model/interaction';
import { protocolById } from '../registry';

const JSON_HEADERS: readonly HttpHeader[] = [['content-type', 'application/json']];

/** A new call to the same URL, with an empty response; undefined if the protocol has no blank bodies. */
export function blankExchange(
  { method, url }: HttpExchange,
  api: ProtocolId | undefined,
  model: string | undefined,
): HttpExchange | undefined {
  const protocol = protocolById(api);
  const bodies = protocol?.blankBodies?.(model === undefined ? {} : { model });
  if (bodies === undefined) return undefined;
  return {
    method,
    url: unstreamedInvokeUrl(protocol?.unstreamedUrl?.(url) ?? url),
    requestHeaders: JSON_HEADERS,
    requestBody: { type: 'text', text: compactJson(bodies.request) },
    status: 200,
    responseHeaders: JSON_HEADERS,
    responseBody: { type: 'text', text: compactJson(bodies.response) },
  };
}

/** Bedrock serves the protocols of several providers under `invoke`. */
function unstreamedInvokeUrl(url: string): string {
  return url.replace('/invoke-with-response-stream', '/invoke');
}
