import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { type Json, prettyJson } from '../../../json/json';
import type { HttpBody, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { headerOf } from '../../../wire/http';
import { any } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import type { BodyContext } from '../shared/httpTape';
import { bodyBase64, bodyText, headerObject, losslessBodyJson, recordedExchange } from '../shared/recordedHttp';
import { base64Body, chunkedBody, jsonBody, type StoredBody, textBody } from '../shared/storedBody';

/**
 * Session records of the Azure SDKs and of System.ClientModel, as their test proxy writes them (Azure/azure-sdk-tools,
 * `RecordEntry.cs`): JSON bodies parsed, other texts as lists of lines, everything else in base64.
 */
export const azureTestProxyFormat = httpFormat({
  id: 'azure-test-proxy',
  label: 'Azure test proxy recording',
  files: ['json'],
  marks: ['Entries[]', any('Variables', 'Entries[].RequestUri')],
  at: {
    entries: 'Entries',
    method: 'RequestMethod',
    url: 'RequestUri',
    requestHeaders: 'RequestHeaders',
    request: 'RequestBody',
    status: 'StatusCode',
    responseHeaders: 'ResponseHeaders',
    response: 'ResponseBody',
  },
  body,
  write,
});

function body({ node, headers }: BodyContext): StoredBody {
  const type = headerOf(headers, 'content-type') ?? '';
  if (node?.type === 'string') return isText(node.value, type) ? textBody(node) : base64Body(node);
  if (node?.type !== 'array') return jsonBody(node);
  const lines = node.items.map((item) => (item.type === 'string' ? item.value : undefined));
  return isLineList(lines, type) ? chunkedBody(node) : jsonBody(node);
}

/** The proxy never writes a JSON list as a list, but other writers might. */
function isLineList(items: readonly (string | undefined)[], type: string): boolean {
  if (items.includes(undefined)) return false;
  return !/json/i.test(type) || items.slice(0, -1).every((item) => item?.endsWith('\n'));
}

function isText(value: string, type: string): boolean {
  if (/^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(type)) return true;
  const mayBeEither = type === '' || /^multipart\//i.test(type);
  return mayBeEither && (value === '' || decodeBase64(value) === undefined);
}

/** A whole recording as the test proxy writes it. Its only name is that of the file. */
function write(_name: string, interactions: readonly RecordedInteraction[]): string {
  const entries = interactions
    .map(recordedExchange)
    .map(decompressExchange)
    .map((exchange) => ({
      RequestUri: exchange.url,
      RequestMethod: exchange.method.toUpperCase(),
      RequestHeaders: headerObject(exchange.requestHeaders),
      RequestBody: writeBody(exchange.requestBody, exchange.requestHeaders),
      StatusCode: exchange.status ?? 0,
      ResponseHeaders: headerObject(exchange.responseHeaders),
      ResponseBody: writeBody(exchange.responseBody, exchange.responseHeaders),
    }));
  return `${prettyJson({ Entries: entries, Variables: {} })}\n`;
}

const TEXT_TYPE = /^text\/|json|xml|javascript|x-www-form-urlencoded/i;

/** By the content type, JSON is stored parsed and other texts as lists of lines; everything else is base64. */
function writeBody(body: HttpBody, headers: readonly HttpHeader[]): Json {
  const type = headerOf(headers, 'content-type') ?? '';
  const text = bodyText(body);
  if (text === undefined) return bodyBase64(body) ?? null;
  const json = /json/i.test(type) ? losslessBodyJson(body) : undefined;
  // A list of strings would be read as lines.
  if (json !== undefined && !Array.isArray(json)) return json;
  if (!TEXT_TYPE.test(type)) return encodeBase64(new TextEncoder().encode(text));
  return text.includes('\n') && !/json/i.test(type) ? text.split(/(?<=\n)/) : text;
}
