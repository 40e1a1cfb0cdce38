import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { compactJson } from '../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../model/http';
import type { InteractionKind } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';
import type { Pattern } from '../text/compilePattern';
import { chunkBytes } from '../wire/body/body';
import { readExchange } from '../wire/read/readExchange';
import { type Environment, environmentSecrets, partsOfSecrets } from './environmentSecrets';
import { redactBody, redactText } from './redactBody';
import { redactJson } from './redactJson';
import { redactStream } from './redactStream';
import { MASK } from './secretHit';
import { SecretSearch } from './secretSearch';

export interface RedactionRules {
  /** Secrets that are known, such as those of the secret storage. Their parts count too, such as the password of a URL. */
  readonly values?: readonly string[];
  /** The variables of processes; those that are secrets are found by their names and values. */
  readonly environments?: readonly Environment[];
  /** The project's own patterns: `[redact] patterns`. */
  readonly patterns?: readonly Pattern[];
}

/** A recorded interaction, as far as it is redacted. */
export interface RecordedParts {
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly http?: HttpExchange | undefined;
}

/**
 * Hides secrets in recordings and in requests that are compared with them. A placeholder depends only on the kind of the
 * secret, so that a request matches its recording with another key. Redacting twice changes nothing more.
 *
 * A member that returns undefined cannot vouch for what it was given: that must not be written.
 */
export interface Redactor {
  /** The search that decides, for `verify` and `secretsLeft`. */
  readonly search: SecretSearch;
  text(text: string): string;
  url(url: string): string;
  /** A structured value, the same object if it has no secrets. */
  value<T>(value: T): T;
  /** The headers that may be kept, with their values redacted. */
  headers(headers: readonly HttpHeader[]): HttpHeader[];
  /** See `redactBody`. */
  body(bytes: Uint8Array, headers: readonly HttpHeader[]): Uint8Array | undefined;
  exchange(exchange: HttpExchange): RedactedExchange | undefined;
  /** Messages, and the exchange that they were read from, if there is one. */
  interaction<T extends RecordedParts>(interaction: T): T | undefined;
}

export interface RedactedExchange {
  readonly exchange: HttpExchange;
  readonly kind: InteractionKind;
  readonly request: ChatRequest | undefined;
  readonly response: ChatResponse | undefined;
}

export function createRedactor({ values = [], environments = [], patterns = [] }: RedactionRules = {}): Redactor {
  const search = new SecretSearch({
    values: [...partsOfSecrets(values), ...environments.flatMap(environmentSecrets)],
    patterns,
  });
  return new SearchingRedactor(search);
}

class SearchingRedactor implements Redactor {
  constructor(readonly search: SecretSearch) {}

  text(text: string): string {
    return this.search.hide(text);
  }

  url(url: string): string {
    return this.search.hide(url, true);
  }

  value<T>(value: T): T {
    return redactJson(value, this.search);
  }

  headers(headers: readonly HttpHeader[]): HttpHeader[] {
    return headers
      .filter(([name]) => !isDroppedHeader(name))
      .map(([name, value]) => [name, this.#headerValue(name, value)] as const);
  }

  /** All headers, as in an existing recording. */
  #maskedHeaders(headers: readonly HttpHeader[]): HttpHeader[] {
    return headers.map(
      ([name, value]) => [name, isSecretHeader(name) ? MASK : this.#headerValue(name, value)] as const,
    );
  }

  #headerValue(name: string, value: string): string {
    return ADDRESS_HEADERS.test(name) ? this.url(value) : this.text(value);
  }

  body(bytes: Uint8Array, headers: readonly HttpHeader[]): Uint8Array | undefined {
    return redactBody(bytes, headers, this.search);
  }

  exchange(exchange: HttpExchange): RedactedExchange | undefined {
    const requestBody = this.#storedBody(exchange.requestBody, exchange.requestHeaders);
    const responseBody = this.#storedBody(exchange.responseBody, exchange.responseHeaders);
    if (requestBody === undefined || responseBody === undefined) return undefined;
    return redactedReading(
      {
        ...exchange,
        url: this.url(exchange.url),
        requestHeaders: this.#maskedHeaders(exchange.requestHeaders),
        requestBody,
        responseHeaders: this.#maskedHeaders(exchange.responseHeaders),
        responseBody,
      },
      this,
    );
  }

  interaction<T extends RecordedParts>(interaction: T): T | undefined {
    const { request, response, http } = interaction;
    const exchange = http && this.exchange(http);
    if (http !== undefined && exchange === undefined) return undefined;
    const chunks = response?.chunks && this.#storedBody({ type: 'chunks', chunks: response.chunks }, []);
    const clean = response && this.value(response);
    return {
      ...interaction,
      ...(request && { request: this.value(request) }),
      ...(clean && { response: chunks?.type === 'chunks' ? { ...clean, chunks: chunks.chunks } : clean }),
      ...(exchange && { http: exchange.exchange }),
    };
  }

  /** A body in the form in which it is stored. */
  #storedBody(body: HttpBody, headers: readonly HttpHeader[]): HttpBody | undefined {
    switch (body.type) {
      case 'none':
        return body;
      case 'json': {
        const joined = redactStream(body, headers, this.search);
        return joined?.type === 'json' ? { type: 'json', json: this.value(joined.json) } : undefined;
      }
      case 'text':
        return this.#storedText(body, headers);
      case 'base64':
        return this.#storedBytes(body, decodeBase64(body.base64), headers);
      case 'chunks':
        return this.#storedChunks(body, headers);
    }
  }

  #storedText(body: HttpBody & { type: 'text' }, headers: readonly HttpHeader[]): HttpBody | undefined {
    const text = redactText(body.text, this.search, headers);
    if (text === undefined) return undefined;
    return text === body.text ? body : { type: 'text', text };
  }

  #storedBytes(
    body: HttpBody & { type: 'base64' },
    bytes: Uint8Array | undefined,
    headers: readonly HttpHeader[],
  ): HttpBody | undefined {
    if (bytes === undefined) return undefined;
    const clean = redactBody(bytes, headers, this.search);
    if (clean === undefined) return undefined;
    return clean === bytes ? body : { type: 'base64', base64: encodeBase64(clean) };
  }

  /** Where a piece of data has to change, its borders to the next ones are kept if they are events, and lost otherwise. */
  #storedChunks(body: HttpBody & { type: 'chunks' }, headers: readonly HttpHeader[]): HttpBody | undefined {
    if (body.chunks.some(({ base64 }) => base64)) {
      const bytes = chunkBytes(body.chunks);
      const clean = redactBody(bytes, headers, this.search);
      if (clean === undefined) return undefined;
      return clean === bytes ? body : { type: 'base64', base64: encodeBase64(clean) };
    }
    if (body.chunks.every(({ event }) => event === undefined)) {
      const text = body.chunks.map(({ data }) => data).join('');
      const clean = redactText(text, this.search, headers);
      if (clean === undefined) return undefined;
      if (clean === text) return body;
      const isNetworkData = body.chunks.some(({ data }) => !data.startsWith('{'));
      if (isNetworkData) return { type: 'text', text: clean };
    }
    const joined = redactStream(body, headers, this.search);
    if (joined?.type !== 'chunks') return undefined;
    return {
      type: 'chunks',
      chunks: joined.chunks.map((chunk) => ({ ...chunk, data: redactText(chunk.data, this.search) ?? '' })),
    };
  }
}

/**
 * Reads the request and response of an exchange whose bodies are redacted. Undefined if the response still has a secret
 * when it is read with its protocol.
 */
export function redactedReading(exchange: HttpExchange, redactor: Redactor): RedactedExchange | undefined {
  const read = readExchange(exchange);
  const response = redactor.value(read.response);
  if (response !== read.response && streamStillTells(read.response, redactor)) return undefined;
  return { exchange, kind: read.kind, request: redactor.value(read.request), response };
}

/** Whether the response of a stream has a secret in its text, its reasoning or its calls. */
function streamStillTells(response: ChatResponse | undefined, { search }: Redactor): boolean {
  if (response?.chunks === undefined) return false;
  const { chunks: _, ...said } = response;
  return search
    .replacements(compactJson(JSON.parse(JSON.stringify(said))))
    .some(({ hits }) => hits.some((hit) => !hit.isDoubtful));
}

/** Headers that contain an address. */
const ADDRESS_HEADERS = /^(?:location|content-location|refresh|link|referer|origin|x-.*-ur[il])$/i;

/** Headers that identify a caller or an account, and headers of the connection: never recorded. */
const SECRET_HEADERS =
  /(?:^|[-_])(?:key|apikey|token|secret|cookies?|password|credentials?|authorization|authenticate|organi[sz]ation|org|project|account|tenant|subscription|signature|session|user)(?:[-_]id)?$/i;
const CONNECTION_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|accept-encoding|alt-svc|x-forwarded-.*|forwarded|via|x-real-ip|cf-.*|nel|report-to|strict-transport-security|server-timing|x-tapedeck-.*|x-test-id)$/i;
const SESSION_HEADERS = /^mcp-session-id$/i;

/** Whether a header must not be recorded. */
export function isDroppedHeader(name: string): boolean {
  return CONNECTION_HEADERS.test(name) || isSecretHeader(name);
}

function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.test(name) && !SESSION_HEADERS.test(name);
}

/** Request headers about the content and the protocol; the others describe the program and the machine. */
const REQUEST_HEADERS = /^(?:content-type|accept|anthropic-version|anthropic-beta|openai-beta|x-goog-api-version)$/i;

/** Whether a request header may be recorded. */
export function isKeptRequestHeader(name: string): boolean {
  return REQUEST_HEADERS.test(name);
}
