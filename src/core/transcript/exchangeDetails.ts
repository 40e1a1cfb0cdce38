import { encodeBase64 } from '../bytes/base64';
import { prettyJson } from '../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../model/http';
import type { Interaction } from '../model/interaction';
import { grouped } from '../text/counts';
import { t } from '../text/l10n';
import { contentBytes, decodeBody } from '../wire/body/body';
import { headerOf } from '../wire/http';
import { embeddedMedia } from './embeddedMedia';
import { mcpDetails } from './mcpDetails';
import type { MessageExtra } from './messageExtras';

/** The tools, parameters and headers of an interaction, and for plain HTTP the bodies. */
export function exchangeDetails({ kind, request, http, mcp }: Interaction): readonly MessageExtra[] {
  const tools = request?.tools ?? [];
  const params = request?.params ?? {};
  return [
    ...(tools.length === 0 ? [] : [{ label: t('Tools ({0})', grouped(tools.length)), text: prettyJson(tools) }]),
    ...(Object.keys(params).length === 0 ? [] : [{ label: t('Parameters'), text: prettyJson(params) }]),
    ...(http === undefined ? [] : httpDetails(http, kind === 'http')),
    ...(mcp === undefined ? [] : mcpDetails(mcp)),
  ];
}

function httpDetails(http: HttpExchange, withBodies: boolean): MessageExtra[] {
  const { method, url, status, requestHeaders, requestBody, responseHeaders, responseBody } = http;
  const bodies = (label: string, body: HttpBody, headers: readonly HttpHeader[]): MessageExtra[] =>
    withBodies && body.type !== 'none' ? [bodyExtra(label, body, headers)] : [];
  return [
    ...(withBodies ? [] : [{ label: t('Address'), text: `${method.toUpperCase()} ${url}` }]),
    ...headersExtra(t('Request headers'), requestHeaders),
    ...bodies(t('Request body'), requestBody, requestHeaders),
    ...headersExtra(
      status === undefined ? t('Response headers') : t('Response headers, status {0}', status),
      responseHeaders,
    ),
    ...bodies(t('Response body'), responseBody, responseHeaders),
  ];
}

function headersExtra(label: string, list: readonly HttpHeader[]): MessageExtra[] {
  if (list.length === 0) return [];
  return [{ label, text: list.map(([name, value]) => `${name}: ${value}`).join('\n') }];
}

function bodyExtra(label: string, body: HttpBody, headers: readonly HttpHeader[]): MessageExtra {
  const decoded = decodeBody(body, headers);
  const { json, text, decodedFrom, guesses } = decoded;
  // Compressed twice, or more often, it is named after the outermost file.
  const [file = ''] = decodedFrom.slice(decodedFrom.length - guesses);
  const shownAs = guesses > 0 ? t('{0}, content of a {1} file', label, file) : label;
  if (json !== undefined) return { label: shownAs, text: prettyJson(json) };
  if (text !== undefined) return { label: shownAs, text };
  const bytes = guesses > 0 ? contentBytes(body, headers) : decoded.bytes;
  const mime = headerOf(headers, 'content-type') ?? 'bytes';
  const type = mime.startsWith('image/') ? 'image' : 'audio';
  const media = embeddedMedia({ type, mime, base64: encodeBase64(bytes) });
  return {
    label,
    text: t('{0}, {1} bytes', mime, grouped(bytes.length)),
    ...(media === undefined ? {} : { media }),
  };
}
