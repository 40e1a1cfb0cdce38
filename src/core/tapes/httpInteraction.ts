import type { Span } from '../text/source';
import { readExchange } from '../wire/readExchange';
import type { HttpExchange, Interaction, Timing } from './tape';

export interface HttpRecord {
  readonly index: number;
  readonly exchange: HttpExchange;
  readonly source: Span;
  readonly timing?: Timing;
  readonly id?: string;
}

/** An interaction of a tape that records HTTP: what was asked and answered is read from the wire. */
export function httpInteraction({ index, exchange, source, timing, id }: HttpRecord): Interaction {
  const { kind, request, response, timing: reported } = readExchange(exchange);
  const known = { ...reported, ...timing };
  return {
    index,
    kind,
    ...(request === undefined ? {} : { request }),
    ...(response === undefined ? {} : { response }),
    ...(Object.keys(known).length === 0 ? {} : { timing: known }),
    ...(id === undefined ? {} : { id }),
    http: exchange,
    source,
  };
}
