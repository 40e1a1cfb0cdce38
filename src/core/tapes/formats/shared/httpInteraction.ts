import { omitUndefined } from '../../../json/fields';
import type { HttpExchange } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import type { Problem, Span } from '../../../text/source';
import { isDamagedBody } from '../../../wire/body/body';
import { readExchange } from '../../../wire/read/readExchange';
import type { InteractionReading } from '../../lazyTape';

export interface HttpRecord {
  readonly exchange: HttpExchange;
  readonly source: Span;
  readonly timing?: Timing | undefined;
  readonly id?: string | undefined;
}

/** Reads an interaction of a tape that records HTTP from its raw request and response. */
export function readHttpInteraction({ exchange, source, timing, id }: HttpRecord): InteractionReading {
  const { problems, timing: reported, ...reading } = readExchange(exchange);
  const known = { ...reported, ...timing };
  const content = omitUndefined({
    ...reading,
    timing: Object.keys(known).length === 0 ? undefined : known,
    id,
    http: exchange,
  });
  return { content, problems: exchangeProblems(problems, source) };
}

/**
 * Problems of a recorded response that could not be read, with its span. Such a response is shown raw and is no defect
 * of the tape, except for damaged compressed data, which a replay cannot read either.
 */
export function exchangeProblems(sentences: readonly string[], { start, end }: Span): Problem[] {
  return sentences.map((message) => ({
    severity: isDamagedBody(message) ? 'warning' : 'info',
    message,
    span: { start, end: Math.min(end, start + 1) },
  }));
}
