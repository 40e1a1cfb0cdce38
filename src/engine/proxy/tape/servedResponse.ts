import type { Chunk, HttpBody, HttpExchange } from '../../../core/model/http';
import type { Interaction } from '../../../core/model/interaction';
import { recordedExchange } from '../../../core/tapes/formats/shared/recordedHttp';
import { storedHttp } from '../../../core/tapes/lazyTape';
import { lackOf } from '../../../core/tapes/notKept';
import { contentBytes } from '../../../core/wire/body/body';
import { headerOf } from '../../../core/wire/http';
import { hasBody } from '../../network/capturedResponse';
import { hasLinks } from '../routes/links';

/** A recorded response, ready to be sent. */
export interface ServedResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** The ends of a stream's pieces in the body, and the delay before each. */
  readonly pieces?: readonly StreamPiece[];
  /** To be called when the body was sent: its buffer is used again. */
  release?(): void;
  /** The URL that was asked, where the response has addresses of its upstream that a client may follow. */
  readonly linkedFrom?: string;
  /** The connection broke after this. */
  readonly broken?: true;
}

export interface StreamPiece {
  readonly end: number;
  readonly delayMs: number;
}

/** Headers that depend on the connection, and those that no longer hold for a decoded body. */
const NOT_REPEATED =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade|proxy-.*|set-cookie)$/i;

/** The response of an interaction; undefined if the tape does not have it. Of what is HTTP, no chat is read. */
export function servedResponse(interaction: Interaction): ServedResponse | undefined {
  const { http } = storedHttp(interaction);
  const stored = http === undefined ? interaction : { http };
  return lackOf(stored) === undefined ? responseFromExchange(http ?? recordedExchange(interaction)) : undefined;
}

export function responseFromExchange({
  url,
  status,
  responseHeaders,
  responseBody,
  ended,
}: HttpExchange): ServedResponse | undefined {
  if (status === undefined || status < 200 || status > 599) return undefined;
  const pieces = piecesOf(responseBody);
  const body =
    pieces === undefined
      ? Buffer.from(contentBytes(responseBody, responseHeaders))
      : Buffer.concat(pieces.map(({ bytes }) => bytes));
  const headers = responseHeaders
    .filter(([name]) => !NOT_REPEATED.test(name))
    .flatMap(([name, value]) => [name, oneLine(value)]);
  const isStream =
    pieces !== undefined || /event-stream|ndjson|eventstream/.test(headerOf(responseHeaders, 'content-type') ?? '');
  // A response that was recorded without a length has none, and one that was cut off must not look complete.
  if (!isStream && hasBody(status) && headerOf(responseHeaders, 'content-length') !== undefined && ended === undefined)
    headers.push('content-length', String(body.length));
  return {
    status,
    headers,
    body,
    ...(pieces && { pieces: streamPieces(pieces) }),
    ...(pieces === undefined && hasLinks(url, responseHeaders, () => body.toString()) && { linkedFrom: url }),
    ...(ended && { broken: true as const }),
  };
}

/** A header value without the characters that Node refuses. */
function oneLine(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
}

interface TimedBytes {
  readonly bytes: Buffer;
  readonly delayMs: number;
}

function piecesOf(body: HttpBody): TimedBytes[] | undefined {
  if (body.type !== 'chunks') return undefined;
  return body.chunks.map((chunk) => ({ bytes: bytesOfChunk(chunk), delayMs: chunk.delayMs ?? 0 }));
}

function bytesOfChunk({ event, data, base64 }: Chunk): Buffer {
  if (base64) return Buffer.from(data, 'base64');
  return Buffer.from(event === undefined ? data : `event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`);
}

function streamPieces(pieces: readonly TimedBytes[]): StreamPiece[] {
  let end = 0;
  return pieces.map(({ bytes, delayMs }) => {
    end += bytes.length;
    return { end, delayMs };
  });
}
