import type { HttpHeader } from '../model/http';

const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  529: 'Overloaded',
};

/** The reason phrase of an HTTP status (RFC 9110, and Anthropic's 529); empty if it has none. */
export function statusPhrase(status: number): string {
  return PHRASES[status] ?? '';
}

/** The path of a URL with or without a host: no query, no fragment, ASCII characters unescaped. */
export function urlPath(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#][\s\S]*$/, '');
  return path.replace(/%[2-7][0-9a-f]/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
}

/** The first value of a header; `name` is in lower case. */
export function headerOf(headers: readonly HttpHeader[], name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}
