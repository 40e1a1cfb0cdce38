import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { hasBody } from './capturedResponse';
import { KEEP_ALIVE_MS } from './listen';

/** The head of a response as far as it is the same each time that the response is sent. */
export interface ResponseHead {
  readonly start: string;
  /** It has no date of its own. */
  readonly needsDate: boolean;
  /** The body has no length, and is sent as a chunk. */
  readonly isChunked: boolean;
}

/**
 * The head of a response on a connection that is kept, as `node:http` writes it. `headers`: names and values in turn. Throws for one
 * that HTTP does not allow.
 */
export function responseHead(status: number, headers: readonly string[]): ResponseHead {
  let start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  const names = new Set<string>();
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    validateHeaderName(name);
    validateHeaderValue(name, value);
    names.add(name.toLowerCase());
    start += `${name}: ${value}\r\n`;
  }
  return { start, needsDate: !names.has('date'), isChunked: hasBody(status) && !names.has('content-length') };
}

const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`;
const END = `${KEPT}\r\n`;
const CHUNKED_END = `${KEPT}Transfer-Encoding: chunked\r\n\r\n`;

/** The whole head, sent now. */
export function headText({ start, needsDate, isChunked }: ResponseHead): string {
  const end = isChunked ? CHUNKED_END : END;
  return needsDate ? `${start}Date: ${httpDate()}\r\n${end}` : start + end;
}

let second = 0;
let date = '';

/** The time now. It has whole seconds, so it is made once in each. */
function httpDate(): string {
  const current = Math.floor(Date.now() / 1000);
  if (current !== second) {
    second = current;
    date = new Date(current * 1000).toUTCString();
  }
  return date;
}
