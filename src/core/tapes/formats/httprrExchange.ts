import type { Span } from '../../text/source';
import { encodeBase64 } from '../../wire/base64';
import type { HttpBody, HttpExchange, HttpHeader } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { HttpMessage } from './httpMessage';
import type { HttprrRecord } from './httprrRecords';

/** The exchange of a record, as it was recorded. */
export function exchangeOf(file: TapeFile, { request, response }: HttprrRecord): HttpExchange {
  const [method = '', url = ''] = request.startLine.split(' ');
  const status = /^HTTP\/\S+ (\d{3})/.exec(response.startLine)?.[1];
  return {
    method,
    url,
    requestHeaders: headersOf(request),
    requestBody: bodyOf(file, request),
    ...(status === undefined ? {} : { status: Number(status) }),
    responseHeaders: headersOf(response),
    responseBody: bodyOf(file, response),
  };
}

function headersOf({ headers }: HttpMessage): HttpHeader[] {
  return headers.map(({ name, value }) => [name, value]);
}

/** The ranges of the file that make a body, without what frames its chunks. */
export function bodySpans({ body, chunks }: HttpMessage): readonly Span[] {
  return chunks === undefined ? [body] : chunks.map(({ data }) => data);
}

function bodyOf({ text, encoding }: TapeFile, message: HttpMessage): HttpBody {
  const wire = bodySpans(message)
    .map(({ start, end }) => text.slice(start, end))
    .join('');
  if (wire === '') return { type: 'none' };
  return encoding === 'utf-8' ? { type: 'text', text: wire } : bytesBody(wire);
}

/** In a file that is not UTF-8 every character is a byte, and most bodies are text nevertheless. */
function bytesBody(wire: string): HttpBody {
  const bytes = Uint8Array.from(wire, (char) => char.charCodeAt(0));
  try {
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { type: 'base64', base64: encodeBase64(bytes) };
  }
}
