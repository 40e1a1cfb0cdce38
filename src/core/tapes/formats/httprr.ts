import type { Problem } from '../../text/source';
import { headerOf } from '../../wire/body';
import { readHttpInteraction } from '../httpInteraction';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { editHttprr, finaliseHttprr, followHttprr } from './httprrEdit';
import { exchangeOf } from './httprrExchange';
import { type HttprrRecord, readRecords, TRACE } from './httprrRecords';

/**
 * Traces of Go's httprr (golang.org/x/oscar/internal/httprr; langchaingo has a copy), plain or gzipped: requests and
 * responses as they went over the wire, behind their byte counts.
 */
export const httprrFormat = {
  id: 'httprr',
  label: 'httprr trace',
  looksLike,
  read,
  edit: editHttprr,
  follow: followHttprr,
  finalise: finaliseHttprr,
} satisfies TapeFormat;

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
