import { md5Hex } from '../../../hash/digest';
import { isRecord, type Json, prettyJson } from '../../../json/json';
import type { HttpBody, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { decodeContent } from '../../../wire/body/body';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { looksLikeNdjson } from '../../../wire/body/ndjson';
import { looksLikeSse } from '../../../wire/body/sse';
import { statusPhrase } from '../../../wire/http';
import { bodyText, dateOf, headerObject, losslessBodyJson, recordedExchange } from '../shared/recordedHttp';

/** A whole recording as Mastra's recorder writes it: without headers of requests, and without binary bodies. */
export function writeMastra(name: string, interactions: readonly RecordedInteraction[]): string {
  const recordings = interactions.map((interaction) => {
    const exchange = decompressExchange(recordedExchange(interaction));
    const body = writeRequestBody(exchange.requestBody);
    const recordedAt = dateOf(interaction.timing).getTime();
    return {
      hash: mastraHash(exchange.url, body),
      request: { url: exchange.url, method: exchange.method.toUpperCase(), body, timestamp: recordedAt },
      response: {
        status: exchange.status ?? 0,
        statusText: statusPhrase(exchange.status ?? 0),
        headers: headerObject(exchange.responseHeaders.filter(isStored)),
        ...writeResponseBody(exchange.responseBody),
      },
    };
  });
  const createdAt = new Date(
    interactions.map(({ timing }) => dateOf(timing).getTime()).find((time) => time > 0) ?? 0,
  ).toISOString();
  return prettyJson({ meta: { name, createdAt }, recordings });
}

/** The recorder hashes the parsed request, whatever its layout, and looks it up by this hash. */
function writeRequestBody(body: HttpBody): Json {
  const { json } = decodeContent(body, []);
  return typeof json === 'object' && json !== null ? json : (bodyText(body) ?? null);
}

/** `SKIP_HEADERS` of Mastra's recorder: secrets, and headers about the transfer. */
function isStored([name]: HttpHeader): boolean {
  return !/^(?:authorization|x-api-key|api-key|content-encoding|transfer-encoding|set-cookie)$/i.test(name);
}

/** The hash of a request: of its URL and its body, which is a text or JSON with sorted keys. */
export function mastraHash(url: string, body: Json): string {
  const content = typeof body === 'string' ? body : JSON.stringify(sortKeys(body));
  return md5Hex(`${url}:${content}`).slice(0, 16);
}

/** JavaScript rounds a long integer to the nearest number. */
function sortKeys(value: Json): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(members.map(([key, member]) => [key, sortKeys(member)]));
}

function writeResponseBody(body: HttpBody): { readonly [key: string]: Json } {
  const text = bodyText(body);
  if (text !== undefined && (looksLikeSse(text) || looksLikeNdjson(text))) {
    const pieces = body.type === 'chunks' ? body.chunks : [{ data: text, delayMs: undefined }];
    const isNetwork =
      body.type === 'chunks' && body.chunks.every(({ event, base64 }) => event === undefined && !base64);
    return isNetwork || body.type !== 'chunks'
      ? {
          chunks: pieces.map(({ data }) => data),
          chunkTimings: pieces.map(({ delayMs }) => delayMs ?? 0),
          isStreaming: true,
        }
      : { chunks: [text], chunkTimings: [0], isStreaming: true };
  }
  return { body: losslessBodyJson(body) ?? text ?? null, isStreaming: false };
}
