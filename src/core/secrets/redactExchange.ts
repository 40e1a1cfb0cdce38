import { decodeBase64 } from '../bytes/base64';
import { encodeLatin1 } from '../bytes/latin1';
import { compactJson, type Json } from '../json/json';
import type { Chunk, HttpBody, HttpExchange, HttpHeader } from '../model/http';
import type { InteractionKind, ProtocolId } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';
import { bodyFromBytes, chunkBytes, decodeBody } from '../wire/body/body';
import { decompressedHeader } from '../wire/body/bodyContent';
import { readFrames } from '../wire/body/frames';
import { readExchange } from '../wire/read/readExchange';
import { toStreamEvents } from '../wire/read/readResponse';
import { isTalk } from '../wire/realtime/talk';
import { protocolById } from '../wire/registry';
import { isSecretHeader, redactHeader } from './recordedHeaders';
import { redactDecompressed, redactText } from './redactBody';
import { redactJson } from './redactJson';
import { redactStream } from './redactStream';
import { redactTalk } from './redactTalk';
import { MASK } from './secretHit';
import type { SpellingSearch } from './spellingSearch';

export interface RedactedExchange {
  readonly exchange: HttpExchange;
  readonly kind: InteractionKind;
  readonly request: ChatRequest | undefined;
  readonly response: ChatResponse | undefined;
  /** What was changed besides hiding secrets, as a sentence. */
  readonly note?: string;
}

/** Hides the secrets of an exchange; undefined if a body cannot be searched, or written without them. */
export function redactExchange(exchange: HttpExchange, search: SpellingSearch): RedactedExchange | undefined {
  const request = redactStored(exchange.requestBody, exchange.requestHeaders, search);
  const response = redactedResponse(exchange, search);
  if (request === undefined || response === undefined) return undefined;
  const clean: HttpExchange = {
    ...exchange,
    url: search.hide(exchange.url, true),
    requestHeaders: request.headers,
    requestBody: request.body,
    responseHeaders: response.headers,
    responseBody: response.body,
  };
  return redactedReading(clean, search);
}

function redactedResponse(exchange: HttpExchange, search: SpellingSearch): Stored | undefined {
  const { responseBody: stored, responseHeaders: headers } = exchange;
  if (!isTalk(exchange) || stored.type !== 'chunks') return redactStored(stored, headers, search);
  const body = redactTalk(stored.chunks, search);
  return body && { body, headers: headers.map((header) => maskHeader(header, search)) };
}

/** A header of an existing recording, which is kept. */
function maskHeader(header: HttpHeader, search: SpellingSearch): HttpHeader {
  return isSecretHeader(header[0]) ? [header[0], MASK] : redactHeader(header, search);
}

/** A body in the form in which it is stored, with its headers. A compressed body in which a secret was is decompressed. */
function redactStored(body: HttpBody, headers: readonly HttpHeader[], search: SpellingSearch): Stored | undefined {
  const kept = headers.map((header) => maskHeader(header, search));
  const bytes = packedBytes(body);
  if (bytes === undefined) {
    const clean = redactUnpacked(body, headers, search);
    return clean && { body: clean, headers: kept };
  }
  const clean = redactDecompressed(bytes, headers, search);
  if (clean === undefined) return undefined;
  if (clean.isSame) return { body, headers: kept };
  return {
    body: bodyFromBytes(clean.bytes),
    headers: kept.flatMap((header) => decompressedHeader(header, clean.bytes.length)),
  };
}

/** A body that is stored as text or JSON, or in chunks of text. */
function redactUnpacked(body: HttpBody, headers: readonly HttpHeader[], search: SpellingSearch): HttpBody | undefined {
  if (body.type === 'text') {
    const text = redactText(body.text, search, headers);
    if (text === undefined) return undefined;
    return text === body.text ? body : { type: 'text', text };
  }
  if (body.type === 'json') {
    const joined = redactStream(body, headers, search);
    return joined?.type === 'json' ? { type: 'json', json: redactJson(joined.json, search) } : undefined;
  }
  return body.type === 'chunks' ? redactChunks(body.chunks, headers, search) : body;
}

/** Where network data has to change, its borders are lost; events stay what they are. */
export function redactChunks(
  chunks: readonly Chunk[],
  headers: readonly HttpHeader[],
  search: SpellingSearch,
): HttpBody | undefined {
  if (chunks.every(({ event, data }) => event === undefined && !data.startsWith('{'))) {
    const text = chunks.map(({ data }) => data).join('');
    const clean = redactText(text, search, headers);
    return clean === text ? { type: 'chunks', chunks } : clean === undefined ? clean : { type: 'text', text: clean };
  }
  const joined = redactStream({ type: 'chunks', chunks }, headers, search);
  if (joined?.type !== 'chunks') return undefined;
  const clean = joined.chunks.map((chunk) => ({ chunk, data: redactText(chunk.data, search) }));
  if (clean.some(({ data }) => data === undefined)) return undefined;
  return { type: 'chunks', chunks: clean.map(({ chunk, data = '' }) => ({ ...chunk, data })) };
}

interface Stored {
  readonly body: HttpBody;
  readonly headers: readonly HttpHeader[];
}

/** The bytes of a body that is not stored as text. */
function packedBytes(body: HttpBody): Uint8Array | undefined {
  if (body.type === 'base64') return decodeBase64(body.base64);
  if (body.type === 'chunks' && body.chunks.some(({ base64 }) => base64)) return chunkBytes(body.chunks);
  if (body.type === 'text' && body.text.startsWith(LATIN1_GZIP)) return encodeLatin1(body.text);
  return undefined;
}

/** The first bytes of gzip, as characters: some formats store compressed bodies in text. */
const LATIN1_GZIP = '\u001f\u008b\b';

/** The response of a stream in which a secret remains, as it is sent when no stream is requested. */
function unstreamed(exchange: HttpExchange, api: ProtocolId | undefined): HttpExchange | undefined {
  const { responseBody, responseHeaders } = exchange;
  const frames = readFrames(responseBody, decodeBody(responseBody, responseHeaders))?.frames;
  const joined = frames && protocolById(api)?.joinStream(toStreamEvents(frames));
  if (joined === undefined) return undefined;
  const text = compactJson(joined);
  const headers = responseHeaders.flatMap((header): HttpHeader[] =>
    /^content-type$/i.test(header[0]) ? [[header[0], 'application/json']] : decompressedHeader(header, text.length),
  );
  return { ...exchange, responseHeaders: headers, responseBody: { type: 'text', text } };
}

/**
 * Reads the request and response of an exchange whose bodies are redacted. If the response of a stream still has a secret
 * when it is read with its protocol, it is replaced by what the protocol sends when no stream is requested. Undefined if
 * that has a secret as well.
 */
export function redactedReading(exchange: HttpExchange, search: SpellingSearch): RedactedExchange | undefined {
  const read = readExchange(exchange);
  const wasSaid = isTalk(exchange);
  // What the model said before its last response is in the request.
  if (wasSaid && stillTells(read.request, search)) return undefined;
  const isOpen = streamStillTells(read.response, search);
  if (wasSaid && isOpen) return undefined;
  const whole = isOpen ? unstreamed(exchange, read.api) : exchange;
  const body = isOpen && whole?.responseBody.type === 'text' ? redactText(whole.responseBody.text, search) : undefined;
  if (whole === undefined || (isOpen && body === undefined)) return undefined;
  const clean: HttpExchange = body === undefined ? whole : { ...whole, responseBody: { type: 'text', text: body } };
  const { kind, request, response } = isOpen ? readExchange(clean) : read;
  if (isOpen && streamStillTells(response, search)) return undefined;
  return {
    exchange: clean,
    kind,
    request: redactJson(request, search),
    response: redactJson(response, search),
    ...(isOpen && { note: UNSTREAMED }),
  };
}

const UNSTREAMED =
  'The response is recorded as if no stream had been requested, because a secret was spread over its events.';

/** Whether a response, as it is read, has a secret in its text, its reasoning or its calls. */
function streamStillTells(response: ChatResponse | undefined, search: SpellingSearch): boolean {
  if (response === undefined) return false;
  const { chunks: _, ...said } = response;
  return stillTells(said, search);
}

function stillTells(said: object | undefined, search: SpellingSearch): boolean {
  return search
    .replacements(compactJson((said ?? null) as unknown as Json))
    .some(({ hits }) => hits.some((hit) => !hit.isDoubtful));
}
