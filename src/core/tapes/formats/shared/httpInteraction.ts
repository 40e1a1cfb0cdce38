import { omitUndefined } from '../../../json/fields';
import type { HttpExchange } from '../../../model/http';
import type { Timing } from '../../../model/interaction';
import { message, t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { BodyBudget } from '../../../wire/body/bodyBudget';
import { headerOf } from '../../../wire/http';
import { type ExchangeProblem, readExchange } from '../../../wire/read/readExchange';
import type { InteractionReading } from '../../lazyTape';
import { dateOf } from './recordedHttp';

interface HttpRecord {
  readonly exchange: HttpExchange;
  readonly source: Span;
  /** The places of the bodies; by default that of the interaction. */
  readonly bodies?: BodySpans;
  readonly timing?: Timing | undefined;
  readonly id?: string | undefined;
  /** Of the bodies of the tape. */
  readonly budget: BodyBudget;
}

/** Reads an interaction of a tape that records HTTP from its raw request and response. */
export function readHttpInteraction({ exchange, source, bodies, timing, id, budget }: HttpRecord): InteractionReading {
  budget.cover(exchange, source.start);
  const { problems, timing: reported, ...reading } = readExchange(exchange);
  const known = dated({ ...reported, ...timing }, exchange);
  const content = omitUndefined({
    ...reading,
    timing: Object.keys(known).length === 0 ? undefined : known,
    id,
    http: exchange,
  });
  const unpackedBytes = budget.unpackedAt(source.start);
  return { content, problems: exchangeProblems(problems, source, bodies), unpackedBytes };
}

/** When a recorder does not say, or writes 1970 for a time that it does not know, the server's `Date` header does. */
function dated(timing: Timing, { responseHeaders }: HttpExchange): Timing {
  if (dateOf(timing).getTime() !== 0) return timing;
  const { recordedAt: _, ...others } = timing;
  const header = headerOf(responseHeaders, 'date') ?? '';
  const sent = HTTP_DATE.test(header) ? Date.parse(header) : 0;
  return sent > 0 ? { ...others, recordedAt: new Date(sent).toISOString() } : others;
}

const HTTP_DATE = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;

type BodySpans = Readonly<Partial<Record<ExchangeProblem['part'], Span>>>;

const RESTORE = message('Restore it from version control, or record the tape again.');

/**
 * Problems of an exchange that could not be read, with the span of its body. Such a body is shown raw and is no defect of
 * the tape, unless a replay could not read it either.
 */
export function exchangeProblems(
  problems: readonly ExchangeProblem[],
  source: Span,
  bodies: BodySpans = {},
): Problem[] {
  return problems.map(({ part, message, isDefect, fix = t(RESTORE) }) => {
    const body = bodies[part];
    const { start, end } = body === undefined || body.end === 0 ? source : body;
    const span = { start, end: Math.min(end, start + 1) };
    return isDefect ? { severity: 'warning', message, fix, span } : { severity: 'info', message, span };
  });
}
