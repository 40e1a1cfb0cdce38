import type { HttpHeader } from '../model/http';
import type { SpellingSearch } from './spellingSearch';

/** Headers that contain an address. */
const ADDRESS_HEADERS = /^(?:location|content-location|refresh|link|referer|origin|x-.*-ur[il])$/i;

/** A header with its value searched. */
export function redactHeader([name, value]: HttpHeader, search: SpellingSearch): HttpHeader {
  return [name, search.hide(value, ADDRESS_HEADERS.test(name))];
}

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

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.test(name) && !SESSION_HEADERS.test(name);
}

/** Request headers about the content and the protocol; the others describe the program and the machine. */
const REQUEST_HEADERS = /^(?:content-type|accept|anthropic-version|anthropic-beta|openai-beta|x-goog-api-version)$/i;

/** Whether a request header may be recorded. */
export function isKeptRequestHeader(name: string): boolean {
  return REQUEST_HEADERS.test(name);
}
