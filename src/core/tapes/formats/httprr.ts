import type { Problem, Span } from '../../text/source';
import { encodeBase64 } from '../../wire/base64';
import { headerOf } from '../../wire/body';
import { readHttpInteraction } from '../httpInteraction';
import type { HttpBody, HttpExchange, HttpHeader, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import type { HttpMessage } from './httpMessage';
import { type HttprrRecord, readRecords, TRACE } from './httprrRecords';

/**
 * Traces of Go's httprr (golang.org/x/oscar/internal/httprr; langchaingo has a copy), plain or gzipped: requests and
 * responses as they went over the wire, behind their byte counts.
 */
export const httprrFormat = { id: 'httprr', label: 'httprr trace', looksLike, read } satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  return TRACE.test(text);
}

function read(file: TapeFile): Tape {
  const { value: records = [], problems } = readRecords(file);
  const found: Problem[] = [...problems, ...repetitions(file, records)];
  const interactions = records.map((record, index) => {
    const exchange = exchangeOf(file, record);
    const recordedAt = headerOf(exchange.responseHeaders, 'date');
    const source = { start: record.start, end: record.end };
    const reading = readHttpInteraction({ index, exchange, source, ...(recordedAt ? { timing: { recordedAt } } : {}) });
    found.push(...reading.problems);
    return reading.interaction;
  });
  return { format: 'httprr', version: '1', interactions, problems: found };
}

/** A replay looks a request up by its whole text: of two that are the same it only ever finds the last. */
function repetitions({ text }: TapeFile, records: readonly HttprrRecord[]): Problem[] {
  const last = new Map(records.map(({ request }, index) => [text.slice(request.start, request.end), index]));
  return records.flatMap(({ request, counts }, index): Problem[] => {
    const replayed = last.get(text.slice(request.start, request.end));
    if (replayed === undefined || replayed === index) return [];
    const message = `the request of record ${index + 1} is repeated by record ${replayed + 1}: a replay never gives this answer`;
    const fix = 'Remove the record, unless it is kept on purpose.';
    return [{ severity: 'warning', message, fix, span: { start: counts[0].start, end: counts[1].end } }];
  });
}

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
