import type { Problem, Span } from '../text/source';
import { present } from '../wire/fields';
import { readExchange } from '../wire/readExchange';
import type { HttpExchange, Interaction, Timing } from './tape';

export interface HttpRecord {
  readonly index: number;
  readonly exchange: HttpExchange;
  readonly source: Span;
  readonly timing?: Timing;
  readonly id?: string;
}

export interface HttpInteractionReading {
  readonly interaction: Interaction;
  /** What could not be read of the wire. Nothing is broken by that: such an answer is shown as it is. */
  readonly problems: readonly Problem[];
}

/** An interaction of a tape that records HTTP: what was asked and answered is read from the wire. */
export function httpInteraction(record: HttpRecord): Interaction {
  return readHttpInteraction(record).interaction;
}

/** The same, with what could not be read. */
export function readHttpInteraction({ index, exchange, source, timing, id }: HttpRecord): HttpInteractionReading {
  const { problems, timing: reported, ...reading } = readExchange(exchange);
  const known = { ...reported, ...timing };
  const interaction = present({
    index,
    ...reading,
    timing: Object.keys(known).length === 0 ? undefined : known,
    id,
    http: exchange,
    source,
  });
  const span = { start: source.start, end: Math.min(source.end, source.start + 1) };
  return { interaction, problems: problems.map((message) => ({ severity: 'info', message, span })) };
}
