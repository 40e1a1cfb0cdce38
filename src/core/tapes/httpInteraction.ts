import type { Span } from '../text/source';
import { present } from '../wire/fields';
import { readExchange } from '../wire/readExchange';
import { wireProblems } from './formats/wireProblems';
import type { InteractionReading } from './lazyTape';
import type { HttpExchange, Timing } from './tape';

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
  const content = present({
    ...reading,
    timing: Object.keys(known).length === 0 ? undefined : known,
    id,
    http: exchange,
  });
  return { content, problems: wireProblems(problems, source) };
}
