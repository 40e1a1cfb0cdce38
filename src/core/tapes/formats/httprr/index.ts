import { decodeBase64 } from '../../../bytes/base64';
import { decodeLatin1, encodeLatin1 } from '../../../bytes/latin1';
import { utf8Length } from '../../../bytes/utf8';
import type { HttpBody, HttpExchange, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { message, t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { statusPhrase } from '../../../wire/http';
import type { TapeFormat } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import type { TapeFile } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { readHttpInteraction } from '../shared/httpInteraction';
import { bodyBase64, bodyText, recordedExchange } from '../shared/recordedHttp';
import { editHttprr, finaliseHttprr, followHttprr } from './edit';
import { type HttprrRecord, readRecords, recordExchange, TRACE } from './records';

/**
 * Traces of Go's httprr (golang.org/x/oscar/internal/httprr; langchaingo has a copy), plain or gzipped: requests and
 * responses as they were on the wire, each preceded by its byte count.
 */
export const httprrFormat = {
  id: 'httprr',
  label: 'httprr trace',
  family: 'http',
  servesLast: true,
  tested: { recorder: 'httprr', orphans: 'by-name' },
  extensions: ['httprr', 'httprr.gz'],
  ownEndings: ['httprr', 'httprr.gz'],
  syntax: 'records',
  looksLike,
  read,
  ...writeSubset(HTTP_EXCHANGES, writeHttprr),
  serialiseBytes: writeBinaryHttprr,
  editText: editHttprr,
  editValue: editHttprr,
  followingEdits: followHttprr,
  finalise: finaliseHttprr,
  finaliseTitle: message('Recompute the byte counts'),
} satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  return TRACE.test(text);
}

function read(file: TapeFile): Tape {
  const { value: records = [], problems } = readRecords(file);
  const budget = new BodyBudget(file.text.length);
  const interactions = records.map(
    (record, index) => new LazyInteraction(index, record, () => readRecord(file, record, budget)),
  );
  return new LazyTape({ format: 'httprr', version: '1', interactions }, () => [
    ...problems,
    ...repeatedRequests(file, records),
    ...interactionProblems(interactions),
  ]);
}

function readRecord(file: TapeFile, record: HttprrRecord, budget: BodyBudget): InteractionReading {
  const exchange = recordExchange(file, record);
  return readHttpInteraction({ exchange, source: record, budget });
}

/** A replay looks a request up by its whole text and finds only the last of several that are the same. */
function repeatedRequests({ text }: TapeFile, records: readonly HttprrRecord[]): Problem[] {
  const last = new Map(records.map(({ request }, index) => [text.slice(request.start, request.end), index]));
  return records.flatMap(({ request, counts }, index): Problem[] => {
    const replayed = last.get(text.slice(request.start, request.end));
    if (replayed === undefined || replayed === index) return [];
    const message = t(
      'the request of record {0} is repeated by record {1}: a replay never returns this response',
      index + 1,
      replayed + 1,
    );
    const fix = t('Remove the record, unless it is kept on purpose.');
    return [{ severity: 'warning', message, fix, span: { start: counts[0].start, end: counts[1].end } }];
  });
}

/** How the parts of a trace become the text of its file. */
interface TraceEncoding {
  text(text: string): string;
  body(body: HttpBody): string;
  /** How many bytes a part has that was written so. */
  bytes(written: string): number;
}

const AS_TEXT: TraceEncoding = {
  text: (text) => text,
  body: (body) => bodyText(body) ?? '',
  bytes: utf8Length,
};

/** A character for each byte, as files are read that are not UTF-8. */
const AS_BYTES: TraceEncoding = {
  text: (text) => decodeLatin1(new TextEncoder().encode(text)),
  body: (body) => {
    const base64 = bodyBase64(body);
    const bytes = base64 === undefined ? undefined : decodeBase64(base64);
    return bytes === undefined ? AS_BYTES.text(bodyText(body) ?? '') : decodeLatin1(bytes);
  },
  bytes: ({ length }) => length,
};

/** A whole trace. Where a body is binary, it is `writeBinaryHttprr` that has it. */
function writeHttprr(_name: string, interactions: readonly RecordedInteraction[]): string {
  return traceOf(interactions.map(writtenExchange), AS_TEXT);
}

/** A whole trace with a binary body, as the bytes of its file. */
function writeBinaryHttprr(_name: string, interactions: readonly RecordedInteraction[]): Uint8Array | undefined {
  const exchanges = HTTP_EXCHANGES.select(interactions).map(writtenExchange);
  const isBinary = exchanges
    .flatMap(({ requestBody, responseBody }) => [requestBody, responseBody])
    .some((body) => bodyBase64(body) !== undefined);
  return isBinary ? encodeLatin1(traceOf(exchanges, AS_BYTES)) : undefined;
}

/** As its request and response would have been sent uncompressed. */
function writtenExchange(interaction: RecordedInteraction): HttpExchange {
  return decompressExchange(recordedExchange(interaction));
}

function traceOf(exchanges: readonly HttpExchange[], encoding: TraceEncoding): string {
  const records = exchanges.map((exchange) => {
    const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(exchange.url)?.[1];
    const isHosted = host === undefined || exchange.requestHeaders.some(([name]) => /^host$/i.test(name));
    const hosted: readonly HttpHeader[] = isHosted ? [] : [['Host', host]];
    const requestLine = `${exchange.method.toUpperCase()} ${exchange.url.replace(/\s/g, '%20')} HTTP/1.1`;
    const status = exchange.status ?? 0;
    const statusLine = `HTTP/1.1 ${`${status}`.padStart(3, '0')} ${statusPhrase(status)}`;
    const requestHead = { startLine: requestLine, headers: [...hosted, ...exchange.requestHeaders] };
    const request = writeMessage(requestHead, exchange.requestBody, encoding);
    const responseHead = { startLine: statusLine, headers: exchange.responseHeaders };
    const response = writeMessage(responseHead, exchange.responseBody, encoding);
    return `${encoding.bytes(request)} ${encoding.bytes(response)}\n${request}${response}`;
  });
  return `httprr trace v1\n${records.join('')}`;
}

interface MessageHead {
  readonly startLine: string;
  readonly headers: readonly HttpHeader[];
}

/** No body is chunked. */
function writeMessage({ startLine, headers }: MessageHead, body: HttpBody, encoding: TraceEncoding): string {
  const written = encoding.body(body);
  const kept = headers.filter(([name]) => !/^(?:transfer-encoding|content-length)$/i.test(name));
  const length: readonly HttpHeader[] = written === '' ? [] : [['Content-Length', `${encoding.bytes(written)}`]];
  // A line break in a value would start another header.
  const lines = [...kept, ...length].map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ').trim()}\r\n`);
  return `${encoding.text(`${startLine}\r\n${lines.join('')}\r\n`)}${written}`;
}
