import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { encodeHex } from '../../../bytes/hex';
import { utf8Length } from '../../../bytes/utf8';
import { type Json, prettyJson } from '../../../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { headerOf, statusPhrase } from '../../../wire/http';
import { writeYaml } from '../../../yaml/writeYaml';
import type { Destination } from '../../format';
import { bodyBase64, bodyText, dateOf, recordedExchange } from '../shared/recordedHttp';
import { type Dialects, writeDocument } from '../shared/writeDocument';
import { pollyId } from './pollyIds';

/** A whole archive, as browsers export it. */
export function writeHar(
  _name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const entries = interactions.map((interaction) => entryOf(interaction, recordedExchange(interaction), asBase64));
  const log = { version: '1.2', creator: { name: 'Tapedeck', version: '1' }, entries };
  return writeDocument({ log }, into, HAR);
}

const HAR: Dialects = {
  recorded: ['json'],
  json: (archive) => `${prettyJson(archive)}\n`,
  yaml: (archive) => writeYaml(archive, { width: 80, binaryColumns: 76, binaryTag: '!!binary |' }),
};

/** A recording as Polly.JS stores it. */
export function writePolly(
  name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const orders = new Map<string, number>();
  const entries = interactions.map((interaction) => {
    const exchange = recordedExchange(interaction);
    const id = pollyId(exchange);
    const order = orders.get(id) ?? 0;
    orders.set(id, order + 1);
    return { _id: id, _order: order, cache: {}, ...entryOf(interaction, exchange, asHex) };
  });
  const creator = { comment: 'persister:fs', name: 'Polly.JS', version: '6.0.6' };
  return writeDocument({ log: { _recordingName: name, creator, entries, pages: [], version: '1.2' } }, into, POLLY);
}

/** Cody's persister writes YAML. */
const POLLY: Dialects = { ...HAR, recorded: ['json', 'yaml'], json: (recording) => prettyJson(recording) };

/** The text of a binary request, and what says that it is one: HAR 1.2 has an `encoding` for responses only, which others use here, too. */
type EncodedRequest = (bytes: Uint8Array) => { readonly text: string; readonly encoding: string };

const asBase64: EncodedRequest = (bytes) => ({ text: encodeBase64(bytes), encoding: 'base64' });
/** Polly.JS compares requests by this text. */
const asHex: EncodedRequest = (bytes) => ({ text: encodeHex(bytes), encoding: 'hex' });

function entryOf({ timing }: RecordedInteraction, exchange: HttpExchange, encode: EncodedRequest) {
  const { method, url, status = 0, responseHeaders, responseBody } = exchange;
  const { requestHeaders, requestBody } = decompressExchange(exchange);
  // Archives have -1 for a time that is not known.
  const time = timing?.durationMs ?? -1;
  return {
    startedDateTime: dateOf(timing).toISOString(),
    time,
    request: {
      method: method.toUpperCase(),
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(requestHeaders),
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: sizeOf(requestBody),
      ...postData(requestBody, mimeOf(requestHeaders), encode),
    },
    response: {
      status,
      statusText: statusPhrase(status),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(responseHeaders),
      content: contentOf(responseBody, responseHeaders),
      redirectURL: '',
      headersSize: -1,
      bodySize: sizeOf(responseBody),
    },
    timings: { blocked: -1, connect: -1, dns: -1, receive: 0, send: 0, ssl: -1, wait: time },
  };
}

function pairs(headers: readonly HttpHeader[]): Json {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): Json {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return query === '' ? [] : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

function postData(body: HttpBody, mimeType: string, encode: EncodedRequest): { readonly postData?: Json } {
  const base64 = bodyBase64(body);
  const text = bodyText(body);
  if (base64 !== undefined)
    return { postData: { mimeType, params: [], ...encode(decodeBase64(base64) ?? new Uint8Array()) } };
  return text === undefined ? {} : { postData: { mimeType, params: [], text } };
}

function contentOf(body: HttpBody, headers: readonly HttpHeader[]): Json {
  const base64 = bodyBase64(body);
  const text = base64 ?? bodyText(body);
  const content: Record<string, Json> = { size: sizeOf(body), mimeType: mimeOf(headers) };
  if (text !== undefined) content.text = text;
  if (base64 !== undefined) content.encoding = 'base64';
  return content;
}

function mimeOf(headers: readonly HttpHeader[]): string {
  return headerOf(headers, 'content-type') ?? '';
}

function sizeOf(body: HttpBody): number {
  const base64 = bodyBase64(body);
  return base64 === undefined ? utf8Length(bodyText(body) ?? '') : (decodeBase64(base64)?.length ?? 0);
}
