import { type Json, prettyJson } from '../../json/json';
import { encodeBase64 } from '../../wire/base64';
import { headerOf } from '../../wire/body';
import { decompressed } from '../decompressed';
import { recordedExchange } from '../recordedExchange';
import type { HttpBody, HttpHeader } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';
import { base64OfBody, headerObject, jsonOf, textOfBody } from './writtenBody';

/** A whole recording as the test proxy writes it. It has no name but that of its file. */
export function writeAzure(_name: string, interactions: readonly RecordedInteraction[]): string {
  const entries = interactions
    .map(recordedExchange)
    .map(decompressed)
    .map((exchange) => ({
      RequestUri: exchange.url,
      RequestMethod: exchange.method.toUpperCase(),
      RequestHeaders: headerObject(exchange.requestHeaders),
      RequestBody: bodyJson(exchange.requestBody, exchange.requestHeaders),
      StatusCode: exchange.status ?? 0,
      ResponseHeaders: headerObject(exchange.responseHeaders),
      ResponseBody: bodyJson(exchange.responseBody, exchange.responseHeaders),
    }));
  return `${prettyJson({ Entries: entries, Variables: {} })}\n`;
}

const TEXT_TYPE = /^text\/|json|xml|javascript|x-www-form-urlencoded/i;

/** JSON is parsed and other texts are the list of their lines, by the content type; all else is base64. */
function bodyJson(body: HttpBody, headers: readonly HttpHeader[]): Json {
  const type = headerOf(headers, 'content-type') ?? '';
  const text = textOfBody(body);
  if (text === undefined) return base64OfBody(body) ?? null;
  const json = /json/i.test(type) ? jsonOf(body) : undefined;
  // A list of strings would be read as lines.
  if (json !== undefined && !Array.isArray(json)) return json;
  if (!TEXT_TYPE.test(type)) return encodeBase64(new TextEncoder().encode(text));
  return text.includes('\n') && !/json/i.test(type) ? text.split(/(?<=\n)/) : text;
}
