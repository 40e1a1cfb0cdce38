import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { PRICES_DATE } from '../../../src/core/prices/priceTable';
import type { MeasureValues as Earlier } from '../../../src/core/review/measures';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import type { TranscriptOverview } from '../../../src/protocol/transcript';
import { memo } from '../../base/memo';
import { countDelta, formatCost, formatCount, formatDuration, shareDelta } from '../../base/numbers';
import { Delta, PreviousTotalsContext } from '../state/previousTotals';

/** One thing the header says about a tape. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** What the value leaves open. */
  readonly note?: string;
  /** Against the recording before, such as "+12". */
  readonly delta?: string;
}

type CountedTranscript = Pick<TranscriptOverview, 'formatLabel' | 'length' | 'interactions' | 'totals'>;

export function tapeFacts({ formatLabel, length, totals, interactions }: CountedTranscript): readonly Fact[] {
  const { usage, toolCalls, durationMs, cost, unpriced = 0 } = totals;
  const answered = interactions.filter(isAnswered);
  const silent = answered.filter(({ numbers }) => numbers.usage === undefined).length;
  const isPartial = interactions.length < length;
  const tokens = (count: number): Pick<Fact, 'value' | 'note'> => tokenValue(count, answered.length, silent, isPartial);
  const more = (name: string, count: number | undefined): Fact[] =>
    count === undefined || count === 0 ? [] : [{ name, value: formatCount(count) }];
  // Of a tape without a single answer, such as one of plain HTTP, there are no tokens to tell.
  const ofAnswers: readonly Fact[] = [
    { name: 'Tool calls', value: formatCount(toolCalls) },
    { name: 'Tokens in', ...tokens(usage.promptTokens) },
    ...more('From cache', usage.cachedTokens),
    { name: 'Tokens out', ...tokens(usage.completionTokens) },
    ...more('Reasoning', usage.reasoningTokens),
  ];
  return [
    { name: 'Format', value: formatLabel },
    { name: 'Interactions', value: formatCount(length) },
    ...(answered.length === 0 ? [] : ofAnswers),
    ...(durationMs === undefined ? [] : [{ name: 'Time', value: formatDuration(durationMs) }]),
    ...(cost === undefined ? [] : [costFact(cost, unpriced)]),
  ];
}

function costFact(cost: number, unpriced: number): Fact {
  const note = `By list prices of ${PRICES_DATE}`;
  if (unpriced === 0) return { name: 'Cost', value: formatCost(cost), note };
  return {
    name: 'Cost',
    value: `${formatCost(cost)}+`,
    note: `${note}; ${unpriced} answers are of models without a price`,
  };
}

/** The same facts, with how much more or less each is than before the tape changed. */
export function withDeltas(
  facts: readonly Fact[],
  { length, totals }: CountedTranscript,
  before: Earlier,
): readonly Fact[] {
  const { usage, toolCalls, durationMs, cost } = totals;
  const deltas: Readonly<Record<string, string | undefined>> = {
    Interactions: countDelta(length, before.interactions),
    'Tool calls': countDelta(toolCalls, before['tool calls']),
    'Tokens in': countDelta(usage.promptTokens, before['tokens in']),
    'Tokens out': countDelta(usage.completionTokens, before['tokens out']),
    Time: shareDelta(durationMs, before.latency),
    Cost: shareDelta(cost, before.cost),
  };
  return facts.map((fact) => {
    const delta = deltas[fact.name];
    return delta === undefined ? fact : { ...fact, delta };
  });
}

/** Plain HTTP uses no tokens, and a request that failed none that anybody tells. */
function isAnswered({ kind, failed, entries }: InteractionSummary): boolean {
  const isCall = kind !== 'http' && kind !== 'environment' && !failed;
  return isCall && entries.some(({ origin }) => origin === 'response');
}

/** A dash where no response says how much it used; where only some do, the sum is a lower bound. */
function tokenValue(
  count: number,
  responses: number,
  silent: number,
  isPartial: boolean,
): Pick<Fact, 'value' | 'note'> {
  if (silent === responses) return { value: '\u2013', note: 'The tape does not say' };
  if (silent > 0) return { value: `${formatCount(count)}+`, note: `${silent} of ${responses} responses do not say` };
  return { value: isPartial ? `${formatCount(count)}+` : formatCount(count) };
}

/** The tape in numbers. */
export const TapeFacts = memo(({ transcript }: { readonly transcript: TranscriptOverview }): VNode => {
  const earlier = useContext(PreviousTotalsContext);
  const facts = tapeFacts(transcript);
  // While a tape is still being read its sums are those of its beginning.
  const isWhole = transcript.interactions.length === transcript.length;
  const shown = earlier !== undefined && isWhole ? withDeltas(facts, transcript, earlier.totals) : facts;
  return (
    <dl class="facts">
      {shown.map(({ name, value, note, delta }) => (
        <div key={name} title={note}>
          <dt>{name}</dt>
          <dd>
            {value}
            <Delta by={delta} />
            {note !== undefined && <span class="visually-hidden"> ({note})</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
});
