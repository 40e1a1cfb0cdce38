import { utf8Length } from '../../../bytes/utf8';
import type { HttpBody, HttpHeader } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { message, t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { headerOf, statusPhrase } from '../../../wire/http';
import type { TapeFormat } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import type { TapeFile } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { httpEditMembers } from '../shared/editHttpTape';
import { readHttpInteraction } from '../shared/httpInteraction';
import { bodyText, recordedExchange } from '../shared/recordedHttp';
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
  tested: { recorder: 'httprr', orphans: 'by-name' },
  extensions: ['httprr', 'httprr.gz'],
  ownEndings: ['httprr', 'httprr.gz'],
  syntax: 'records',
  looksLike,
  read,
  ...writeSubset(HTTP_EXCHANGES, writeHttprr),
  ...httpEditMembers(editHttprr),
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
  const recordedAt = headerOf(exchange.responseHeaders, 'date');
  return readHttpInteraction({ exchange, source: record, timing: recordedAt ? { recordedAt } : undefined, budget });
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

/** A whole trace. It is UTF-8, so binary bodies that were not decompressed cannot be written. No body is chunked. */
function writeHttprr(_name: string, interactions: readonly RecordedInteraction[]): string {
  const records = interactions
    .map(recordedExchange)
    .map(decompressExchange)
    .map((exchange) => {
      const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(exchange.url)?.[1];
      const isHosted = host === undefined || exchange.requestHeaders.some(([name]) => /^host$/i.test(name));
      const hosted: readonly HttpHeader[] = isHosted ? [] : [['Host', host]];
      const requestLine = `${exchange.method.toUpperCase()} ${exchange.url.replace(/\s/g, '%20')} HTTP/1.1`;
      const status = exchange.status ?? 0;
      const statusLine = `HTTP/1.1 ${`${status}`.padStart(3, '0')} ${statusPhrase(status)}`;
      const request = writeMessage(requestLine, [...hosted, ...exchange.requestHeaders], exchange.requestBody);
      const response = writeMessage(statusLine, exchange.responseHeaders, exchange.responseBody);
      return `${utf8Length(request)} ${utf8Length(response)}\n${request}${response}`;
    });
  return `httprr trace v1\n${records.join('')}`;
}

function writeMessage(startLine: string, headers: readonly HttpHeader[], body: HttpBody): string {
  const text = bodyText(body) ?? '';
  const kept = headers.filter(([name]) => !/^(?:transfer-encoding|content-length)$/i.test(name));
  const length: readonly HttpHeader[] = text === '' ? [] : [['Content-Length', `${utf8Length(text)}`]];
  // A line break in a value would start another header.
  const lines = [...kept, ...length].map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ').trim()}\r\n`);
  return `${startLine}\r\n${lines.join('')}\r\n${text}`;
}
