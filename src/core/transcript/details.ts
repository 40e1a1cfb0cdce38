import { prettyJson } from '../json/json';
import type { HttpHeader, Interaction } from '../tapes/tape';
import type { TranscriptAside } from './asides';

/** What is asked and answered besides the messages: tools, parameters, headers. */
export function detailsOf({ request, http }: Interaction): readonly TranscriptAside[] {
  const tools = request?.tools ?? [];
  const params = request?.params ?? {};
  return [
    ...(tools.length === 0 ? [] : [{ label: `Tools (${tools.length})`, text: prettyJson(tools) }]),
    ...(Object.keys(params).length === 0 ? [] : [{ label: 'Parameters', text: prettyJson(params) }]),
    ...(http === undefined ? [] : [{ label: 'HTTP', text: `${http.method} ${http.url}` }]),
    ...(http === undefined ? [] : headers('Request headers', http.requestHeaders)),
    ...(http === undefined
      ? []
      : headers(`Response headers, status ${http.status ?? 'unknown'}`, http.responseHeaders)),
  ];
}

function headers(label: string, list: readonly HttpHeader[]): TranscriptAside[] {
  if (list.length === 0) return [];
  return [{ label, text: list.map(([name, value]) => `${name}: ${value}`).join('\n') }];
}
