import type { Json } from '../../../../src/core/json/json';
import type { HttpExchange } from '../../../../src/core/model/http';
import type { Interaction } from '../../../../src/core/model/interaction';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, textBody } from '../../wire/exchanges';

export interface Call {
  readonly url: string;
  readonly request: Json;
  /** A text is a stream. */
  readonly response: Json;
}

function interactionOf(http: HttpExchange): Interaction {
  const { problems: _, ...reading } = readExchange(http);
  return { index: 0, ...reading, http, source: { start: 0, end: 1 } };
}

function exchangeOf({ url, request, response }: Call): HttpExchange {
  return post(url, request, typeof response === 'string' ? textBody(response) : jsonBody(response));
}

/** The comparison of two tapes with one exchange each. */
export function compareCalls(before: Call, after: Call) {
  const tapeOf = (call: Call) => ({ format: 'vcrpy', interactions: [interactionOf(exchangeOf(call))], problems: [] });
  return compareTapes(tapeOf(before), tapeOf(after));
}

/** The titles of the changes, and of what is ignored. */
export function titlesOf(before: Call, after: Call) {
  const { changes, hidden } = compareCalls(before, after);
  return { shown: changes.map(({ title }) => title), hidden: hidden.map(({ title }) => title) };
}
