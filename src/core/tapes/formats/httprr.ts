import type { Problem } from '../../text/source';
import { headerOf } from '../../wire/body';
import { readHttpInteraction } from '../httpInteraction';
import { type InteractionReading, LazyInteraction, LazyTape, problemsIn } from '../lazyTape';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import { editHttprr, finaliseHttprr, followHttprr } from './httprrEdit';
import { exchangeOf } from './httprrExchange';
import { type HttprrRecord, readRecords, TRACE } from './httprrRecords';
import { writeHttprr } from './httprrWrite';

/**
 * Traces of Go's httprr (golang.org/x/oscar/internal/httprr; langchaingo has a copy), plain or gzipped: requests and
 * responses as they went over the wire, behind their byte counts.
 */
export const httprrFormat = {
  id: 'httprr',
  label: 'httprr trace',
  syntax: 'text',
  looksLike,
  read,
  ...writing(EXCHANGES, writeHttprr),
  ...httpEdits(editHttprr),
  follow: followHttprr,
  finalise: finaliseHttprr,
  finaliseTitle: 'Recompute the byte counts',
} satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  return TRACE.test(text);
}

function read(file: TapeFile): Tape {
  const { value: records = [], problems } = readRecords(file);
  const interactions = records.map(
    (record, index) => new LazyInteraction(index, record, () => readRecord(file, record)),
  );
  return new LazyTape({ format: 'httprr', version: '1', interactions }, () => [
    ...problems,
    ...repetitions(file, records),
    ...problemsIn(interactions),
  ]);
}

function readRecord(file: TapeFile, record: HttprrRecord): InteractionReading {
  const exchange = exchangeOf(file, record);
  const recordedAt = headerOf(exchange.responseHeaders, 'date');
  return readHttpInteraction({ exchange, source: record, timing: recordedAt ? { recordedAt } : undefined });
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
