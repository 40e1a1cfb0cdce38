import { prettyJson } from '../json/json';
import type { HttpBody, HttpExchange, HttpHeader, Interaction } from '../tapes/tape';
import { encodeBase64 } from '../wire/base64';
import { type DecodedBody, decodeBody, headerOf } from '../wire/body';
import type { TranscriptAside } from './asides';
import { embeddedMedia } from './embeddedMedia';

/** What is asked and answered besides the messages: tools, parameters, headers; of plain HTTP, the bodies. */
export function detailsOf({ kind, request, http }: Interaction): readonly TranscriptAside[] {
  const tools = request?.tools ?? [];
  const params = request?.params ?? {};
  return [
    ...(tools.length === 0 ? [] : [{ label: `Tools (${tools.length})`, text: prettyJson(tools) }]),
    ...(Object.keys(params).length === 0 ? [] : [{ label: 'Parameters', text: prettyJson(params) }]),
    ...(http === undefined ? [] : httpDetails(http, kind === 'http')),
  ];
}

function httpDetails(http: HttpExchange, withBodies: boolean): TranscriptAside[] {
  const { method, url, status, requestHeaders, requestBody, responseHeaders, responseBody } = http;
  const bodies = (label: string, body: HttpBody, headers: readonly HttpHeader[]): TranscriptAside[] =>
    withBodies && body.type !== 'none' ? [bodyAside(label, decodeBody(body, headers), headers)] : [];
  const answered = status === undefined ? '' : `, status ${status}`;
  return [
    ...(withBodies ? [] : [{ label: 'Address', text: `${method.toUpperCase()} ${url}` }]),
    ...headersAside('Request headers', requestHeaders),
    ...bodies('Request body', requestBody, requestHeaders),
    ...headersAside(`Response headers${answered}`, responseHeaders),
    ...bodies('Response body', responseBody, responseHeaders),
  ];
}

function headersAside(label: string, list: readonly HttpHeader[]): TranscriptAside[] {
  if (list.length === 0) return [];
  return [{ label, text: list.map(([name, value]) => `${name}: ${value}`).join('\n') }];
}

function bodyAside(label: string, { json, text, bytes }: DecodedBody, headers: readonly HttpHeader[]): TranscriptAside {
  if (json !== undefined) return { label, text: prettyJson(json) };
  if (text !== undefined) return { label, text };
  const mime = headerOf(headers, 'content-type') ?? 'bytes';
  const type = mime.startsWith('image/') ? 'image' : 'audio';
  const media = embeddedMedia({ type, mime, base64: encodeBase64(bytes) });
  return {
    label,
    text: `${mime}, ${bytes.length.toLocaleString('en-US')} bytes`,
    ...(media === undefined ? {} : { media }),
  };
}
