import { compactJson, type Json } from '../json/json';
import { parseJson } from '../json/readJson';
import type { HttpExchange } from '../model/http';
import type { InteractionKind } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';
import type { Pattern } from '../text/compilePattern';
import { applySplices, type Splice } from '../text/splice';
import { editResponseText } from '../wire/edit/editResponse';
import { readExchange } from '../wire/read/readExchange';
import { findSecrets } from './findSecrets';
import { redactBody } from './redactBody';
import { Substitution } from './substitution';

export interface RedactionRules {
  /** Known secrets, such as keys in the environment. */
  readonly values?: readonly string[];
  /** The project's own patterns: `[redact] patterns`. */
  readonly patterns?: readonly Pattern[];
}

/**
 * Hides secrets in recordings and in requests that are compared with them. A placeholder depends only on the kind of the
 * secret, so that a request matches its recording with another key. Redacting twice changes nothing more.
 */
export interface Redactor {
  text(text: string): string;
  /** See `redactBody`. */
  body(bytes: Uint8Array, headers: readonly (readonly [string, string])[]): Uint8Array | undefined;
  /** The headers that may be kept, with their values redacted. */
  headers(headers: readonly (readonly [string, string])[]): (readonly [string, string])[];
  url(url: string): string;
}

const MASK = '[redacted]';
/** The account ids of providers. */
const ACCOUNTS = /\b(?:org|proj|user|acct)[-_][A-Za-z0-9]{16,64}\b/g;
const PARAMETERS =
  /([?&](?:key|api[-_]?key|token|access_token|auth|signature|sig|secret|password|x-amz-(?:signature|credential|security-token))=)[^&#]+/gi;
/** Shorter values may be ordinary words. */
const SHORTEST_VALUE = 8;

export function createRedactor({ values = [], patterns = [] }: RedactionRules = {}): Redactor {
  const long = values.filter((value) => value.length >= SHORTEST_VALUE);
  const known = new Substitution(long.map((value) => ({ value, placeholder: MASK })));
  const text = (original: string): string => {
    let redacted = withoutFound(original);
    redacted = applySplices(redacted, secretMemberSplices(redacted, MASK)).replace(ACCOUNTS, '[redacted:account]');
    redacted = known.replace(redacted);
    for (const pattern of patterns) redacted = pattern.replace(redacted, MASK);
    return redacted;
  };
  return {
    text,
    body: (bytes, headers) => redactBody(bytes, headers, text),
    headers: (headers) =>
      headers.filter(([name]) => !isDroppedHeader(name)).map(([name, value]) => [name, text(value)] as const),
    url: (url) => text(url.replace(PARAMETERS, `$1${MASK}`)),
  };
}

function withoutFound(text: string): string {
  const found = findSecrets(text);
  if (found.length === 0) return text;
  return applySplices(
    text,
    found.map(({ rule, start, end }) => ({ start, end, text: `[redacted:${rule}]` })),
  );
}

export interface RedactedExchange {
  readonly exchange: HttpExchange;
  readonly kind: InteractionKind;
  readonly request: ChatRequest | undefined;
  readonly response: ChatResponse | undefined;
}

/**
 * Removes secrets that are spread over the chunks of a streamed response from an exchange with redacted bodies, and reads
 * the request and response, redacted in the same way.
 */
export function redactExchange(exchange: HttpExchange, redactor: Redactor): RedactedExchange {
  const { response } = readExchange(exchange);
  const text = response?.content ?? '';
  const redacted = redactor.text(text);
  const edit = redacted === text ? undefined : editResponseText(exchange, redacted);
  const clean = edit === undefined || 'refused' in edit ? exchange : { ...exchange, responseBody: edit.body };
  const read = readExchange(clean);
  return {
    exchange: clean,
    kind: read.kind,
    request: redactValue(read.request, redactor),
    response: redactValue(read.response, redactor),
  };
}

/** Removes secrets from a value, found in its JSON by their shapes and by the names of members. */
function redactValue<T extends object>(value: T | undefined, redactor: Redactor): T | undefined {
  if (value === undefined) return undefined;
  const text = compactJson(value as Json);
  const redacted = redactor.text(text);
  return redacted === text ? value : ((parseJson(redacted) as T | undefined) ?? value);
}

/** Headers that identify a caller or an account, and headers of the connection: never recorded. */
const SECRET_HEADERS =
  /(?:^|[-_])(?:key|apikey|token|secret|cookies?|password|credentials?|authorization|authenticate|organi[sz]ation|org|project|account|tenant|subscription|signature|session|user)(?:[-_]id)?$/i;
const CONNECTION_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|accept-encoding|alt-svc|x-forwarded-.*|forwarded|via|x-real-ip|cf-.*|nel|report-to|strict-transport-security|server-timing|x-tapedeck-.*|x-test-id)$/i;
const SESSION_HEADERS = /^mcp-session-id$/i;

/** Whether a header must not be recorded. */
export function isDroppedHeader(name: string): boolean {
  return CONNECTION_HEADERS.test(name) || (SECRET_HEADERS.test(name) && !SESSION_HEADERS.test(name));
}

/** Request headers about the content and the protocol; the others describe the program and the machine. */
const REQUEST_HEADERS = /^(?:content-type|accept|anthropic-version|anthropic-beta|openai-beta|x-goog-api-version)$/i;

/** Whether a request header may be recorded. */
export function isKeptRequestHeader(name: string): boolean {
  return REQUEST_HEADERS.test(name);
}

/** Members whose values are always secrets. Not `token`, which log probabilities have. */
const SECRET_MEMBER =
  /(\\*)"(?:password|passwd|passphrase|secret|client_secret|api_?key|access_token|refresh_token|auth_token|session_token|private_key|authorization|cookie)\1"\s{0,4}:\s{0,4}\1"/gi;
const MAX_VALUE_LENGTH = 20_000;

/** Replaces the values of members with such names with a placeholder, in JSON and in JSON within strings. */
export function secretMemberSplices(text: string, placeholder: string): Splice[] {
  const splices: Splice[] = [];
  let from = 0;
  for (const { 0: match, 1: escapes = '', index } of text.matchAll(SECRET_MEMBER)) {
    const start = index + match.length;
    const end = closingQuote(text, start, escapes.length);
    if (index < from || end === undefined || end === start) continue;
    splices.push({ start, end, text: placeholder });
    from = end;
  }
  return splices;
}

/**
 * The end of a string whose opening quote follows `escapes` backslashes: 0, 1, 3 or 7 for strings within strings.
 * A backslash of the value is written as 2 * (escapes + 1) backslashes, and a quote with 2 * escapes + 1 before it.
 */
function closingQuote(text: string, start: number, escapes: number): number | undefined {
  const period = 2 * (escapes + 1);
  const last = Math.min(text.length, start + MAX_VALUE_LENGTH);
  for (let at = text.indexOf('"', start); at !== -1 && at < last; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > start && text[at - run - 1] === '\\') run += 1;
    if (run % period === escapes) return at - escapes;
  }
  return undefined;
}

/** Names of environment variables whose values are secrets. */
const SECRET_VARIABLE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH|COOKIE|ORG|ORG_ID|ORGANIZATION|PROJECT_ID)$/i;

/** The values of an environment that must not be written to a file. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const plain = value === undefined || !/[^a-z_/.-]/.test(value);
    return SECRET_VARIABLE.test(name) && !plain ? [value] : [];
  });
}
