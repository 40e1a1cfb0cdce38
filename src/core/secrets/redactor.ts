import type { HttpExchange, HttpHeader } from '../model/http';
import type { McpExchange } from '../model/mcp';
import type { ChatRequest, ChatResponse } from '../model/message';
import { projectSearch, type RedactionRules } from './projectSearch';
import { isDroppedHeader, redactHeader } from './recordedHeaders';
import { redactBody } from './redactBody';
import { type RedactedExchange, redactChunks, redactExchange } from './redactExchange';
import { redactJson } from './redactJson';
import type { SecretSearch } from './secretSearch';

/** A recorded interaction, as far as it is redacted. */
interface RecordedParts {
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly http?: HttpExchange | undefined;
  readonly mcp?: McpExchange | undefined;
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

export function createRedactor(rules: RedactionRules = {}): Redactor {
  return new SearchingRedactor(projectSearch(rules));
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
      .map(([name, value]) => redactHeader([name, value], this.search));
  }

  body(bytes: Uint8Array, headers: readonly HttpHeader[]): Uint8Array | undefined {
    return redactBody(bytes, headers, this.search);
  }

  exchange(exchange: HttpExchange): RedactedExchange | undefined {
    return redactExchange(exchange, this.search);
  }

  interaction<T extends RecordedParts>(interaction: T): T | undefined {
    const { request, response, http, mcp } = interaction;
    const exchange = http && this.exchange(http);
    if (http !== undefined && exchange === undefined) return undefined;
    const chunks = response?.chunks && redactChunks(response.chunks, [], this.search);
    const clean = response && this.value(response);
    return {
      ...interaction,
      ...(request && { request: this.value(request) }),
      ...(clean && { response: chunks?.type === 'chunks' ? { ...clean, chunks: chunks.chunks } : clean }),
      ...(exchange && { http: exchange.exchange }),
      ...(mcp && { mcp: this.value(mcp) }),
    };
  }
}
