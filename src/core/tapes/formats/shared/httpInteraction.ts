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

/** Reads an interaction of a tape that records HTTP: what was asked and answered is read from the wire. */
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
 * What could not be read of a recorded answer, at its place. Such an answer is shown as it is, and nothing is broken:
 * but for compressed data that is damaged, which the program that replays it cannot read either.
 */
export function exchangeProblems(sentences: readonly string[], { start, end }: Span): Problem[] {
  return sentences.map((message) => ({
    severity: isDamagedBody(message) ? 'warning' : 'info',
    message,
    span: { start, end: Math.min(end, start + 1) },
  }));
}
