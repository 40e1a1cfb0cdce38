/** The head of a request that says all it means in the plainest way: nothing in it needs another answer than its response. */
export interface PlainHead {
  readonly method: 'POST';
  /** Path and query. */
  readonly url: string;
  /** By their names in lower case; each was there once. */
  readonly headers: Readonly<Record<string, string>> & { readonly host: string };
  readonly bodyLength: number;
}

const REQUEST_LINE = /^POST (\/[!-~]*) HTTP\/1\.1$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*((?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?)[ \t]*$/;
/** What they ask for concerns the connection, or the length of the body. */
const NOT_PLAIN =
  /^(?:expect|http2-settings|keep-alive|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Reads the head of a request, without the empty line that ends it, as Latin-1. Undefined for all that RFC 9112 leaves room for
 * two readings of, and for what is not plain: that is for a whole implementation of HTTP.
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const url = REQUEST_LINE.exec(requestLine)?.[1];
  if (url === undefined) return undefined;
  const headers = readHeaders(lines);
  const host = headers?.host;
  const bodyLength = headers?.['content-length'];
  if (headers === undefined || host === undefined || bodyLength === undefined) return undefined;
  if (!/^\d{1,9}$/.test(bodyLength) || !/^(?:keep-alive)?$/i.test(headers.connection ?? '')) return undefined;
  return { method: 'POST', url, headers: { ...headers, host }, bodyLength: Number(bodyLength) };
}

function readHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, written = '', value = ''] = HEADER.exec(line) ?? [];
    const name = written.toLowerCase();
    if (name === '' || NOT_PLAIN.test(name) || name in headers) return undefined;
    headers[name] = value;
  }
  return headers;
}
