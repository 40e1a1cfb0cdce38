import { encodeBase64 } from '../../../bytes/base64';
import { encodeLatin1 } from '../../../bytes/latin1';
import { utf8Length, utf8Offset } from '../../../bytes/utf8';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import { t } from '../../../text/l10n';
import type { ParseResult, Problem, Span } from '../../../text/source';
import { utf8Text } from '../../../text/utf8Text';
import type { TapeFile } from '../../tapeFile';
import { type HttpMessage, readHttpMessage } from './message';

/** A recorded exchange: a line with two byte counts, then the request and the response as they were on the wire. */
export interface HttprrRecord extends Span {
  /** The span of the counts. */
  readonly counts: readonly [request: Span, response: Span];
  /** Whether the counts are right. */
  readonly isCounted: boolean;
  readonly request: HttpMessage;
  readonly response: HttpMessage;
  readonly problems: readonly Problem[];
}

/** The first line of every trace. */
export const TRACE = /^httprr trace v1\r?\n/;
const COUNTS = /(\d{1,15}) (\d{1,15})\r?\n/y;
const NEXT_RECORD = /\d{1,15} \d{1,15}\r?\n[A-Z]+ \S+ HTTP\/\d/g;
const STATUS_LINE = /HTTP\/\d(?:\.\d)? \d{3}/g;
/**
 * The search for the end of a record reads the rest of the file, so a file with more wrong counts is not read as a
 * trace.
 */
const MAX_WRONG_COUNTS = 20;

/** The records of a trace. A record with a wrong count ends where the next one seems to begin. */
export function readRecords(file: TapeFile): ParseResult<readonly HttprrRecord[]> {
  const { text } = file;
  const records: HttprrRecord[] = [];
  const problems: Problem[] = [];
  let at = TRACE.exec(text)?.[0].length ?? 0;
  let wrong = 0;
  while (at < text.length) {
    const record = wrong > MAX_WRONG_COUNTS ? undefined : readRecord(file, at);
    if (record === undefined) {
      problems.push(corrupt(at, text.length));
      break;
    }
    records.push(record);
    if (!record.isCounted) wrong += 1;
    problems.push(...record.problems);
    at = record.end;
  }
  return { value: records, problems };
}

function corrupt(start: number, length: number): Problem {
  return {
    severity: 'error',
    message: t('corrupt httprr trace: a record begins with the byte counts of its request and its response'),
    fix: t('Restore the file from version control, or record it again with -httprecord.'),
    span: { start, end: Math.min(start + 1, length) },
  };
}

function readRecord(file: TapeFile, start: number): HttprrRecord | undefined {
  const { text } = file;
  const line = countsAt(text, start);
  if (line === null) return undefined;
  const [whole, first = '', second = ''] = line;
  const content = start + whole.length;
  const counts = [spanAt(start, first.length), spanAt(start + first.length + 1, second.length)] as const;
  const counted = countedEnds(file, content, Number(first), Number(second));
  const ends = counted ?? likelyEnds(text, content);
  const request = readHttpMessage(file, { start: content, end: ends.request });
  const response = readHttpMessage(file, { start: ends.request, end: ends.response });
  const wrong = counted === undefined ? [wrongCounts(file, content, ends, start, whole.trimEnd())] : [];
  const problems = [...wrong, ...request.problems, ...response.problems];
  return { start, end: ends.response, counts, isCounted: counted !== undefined, request, response, problems };
}

interface MessageEnds {
  readonly request: number;
  readonly response: number;
}

/** The ends of the messages by the counts, if a message can end there. */
function countedEnds(file: TapeFile, content: number, first: number, second: number): MessageEnds | undefined {
  const request = offsetAfter(file, content, first);
  const response = request === undefined ? undefined : offsetAfter(file, request, second);
  if (request === undefined || response === undefined) return undefined;
  const ends = response === file.text.length || countsAt(file.text, response) !== null;
  return ends && file.text.startsWith('HTTP/', request) ? { request, response } : undefined;
}

function likelyEnds(text: string, content: number): MessageEnds {
  NEXT_RECORD.lastIndex = content;
  const response = NEXT_RECORD.exec(text)?.index ?? text.length;
  STATUS_LINE.lastIndex = content;
  const request = STATUS_LINE.exec(text)?.index ?? response;
  return { request: Math.min(request, response), response };
}

function wrongCounts(file: TapeFile, content: number, ends: MessageEnds, start: number, recorded: string): Problem {
  const right = `${bytesBetween(file, content, ends.request)} ${bytesBetween(file, ends.request, ends.response)}`;
  return {
    severity: 'error',
    message: t(
      'the byte counts of a record are wrong: it says `{0}`, its request and response have `{1}`',
      recorded,
      right,
    ),
    fix: t('Write `{0}` if nothing is missing; otherwise record it again with -httprecord.', right),
    span: spanAt(start, recorded.length),
  };
}

function countsAt(text: string, at: number): RegExpExecArray | null {
  COUNTS.lastIndex = at;
  return COUNTS.exec(text);
}

function spanAt(start: number, length: number): Span {
  return { start, end: start + length };
}

/** The offset after this many bytes of the file; undefined beyond its end. */
function offsetAfter({ text, encoding }: TapeFile, start: number, bytes: number): number | undefined {
  if (encoding === 'utf-8') return utf8Offset(text, start, bytes);
  return start + bytes <= text.length ? start + bytes : undefined;
}

/** The number of bytes of the file between two offsets. */
export function bytesBetween({ text, encoding }: TapeFile, start: number, end: number): number {
  return encoding === 'utf-8' ? utf8Length(text, start, end) : end - start;
}

/** The exchange of a record, as it was recorded. */
export function recordExchange(file: TapeFile, { request, response }: HttprrRecord): HttpExchange {
  const [method = '', url = ''] = request.startLine.split(' ');
  const status = /^HTTP\/\S+ (\d{3})/.exec(response.startLine)?.[1];
  return {
    method,
    url,
    requestHeaders: headersOf(file, request),
    requestBody: bodyOf(file, request),
    ...(status === undefined ? {} : { status: Number(status) }),
    responseHeaders: headersOf(file, response),
    responseBody: bodyOf(file, response),
  };
}

function headersOf({ encoding }: TapeFile, { headers }: HttpMessage): HttpHeader[] {
  const textOf = (value: string): string => (encoding === 'utf-8' ? value : (utf8Text(encodeLatin1(value)) ?? value));
  return headers.map(({ name, value }) => [name, textOf(value)]);
}

/** The spans of the file that make up a body, without the framing of its chunks. */
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

/** In a file that is not UTF-8 every character is one byte; most bodies are UTF-8 text all the same. */
function bytesBody(wire: string): HttpBody {
  const bytes = encodeLatin1(wire);
  const text = utf8Text(bytes);
  return text === undefined ? { type: 'base64', base64: encodeBase64(bytes) } : { type: 'text', text };
}
