import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { TranscriptOverview } from '../../../src/contracts/transcript/transcript';
import { formatDollars, formatExactDollars } from '../../../src/core/prices/formatDollars';
import { PRICES_DATE } from '../../../src/core/prices/pricesDate';
import type { MeasureValues } from '../../../src/core/review/measures';
import { counted } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { memo } from '../../base/memo';
import { countDelta, formatCount, formatDuration, shareDelta, shareText } from '../../base/numbers';
import { useActions } from '../state/actions';
import { Delta, PreviousTotalsContext } from '../state/previousTotals';

/** One fact of the header about a tape. */
interface Fact {
  /** A message. */
  readonly name: string;
  readonly value: string;
  /** The limits or the source of the value. */
  readonly note?: string;
  /** The difference from the recording before, such as "+12". */
  readonly delta?: string;
}

type CountedTranscript = Pick<TranscriptOverview, 'formatLabel' | 'length' | 'interactions' | 'totals'>;

export function tapeFacts({ formatLabel, length, totals, interactions }: CountedTranscript): readonly Fact[] {
  const { usage, toolCalls, durationMs, cost, unpriced = 0 } = totals;
  const responded = interactions.filter(hasModelResponse);
  const withoutUsage = responded.filter(({ numbers }) => numbers.usage === undefined).length;
  const isPartial = interactions.length < length;
  const tokens = (count: number): Pick<Fact, 'value' | 'note'> =>
    tokenValue(count, responded.length, withoutUsage, isPartial);
  const more = (name: string, count = 0, of = 0): Fact[] =>
    count === 0
      ? []
      : [{ name, value: of > 0 ? t('{0} ({1})', formatCount(count), shareText(count, of)) : formatCount(count) }];
  const ofResponses: readonly Fact[] = [
    { name: message('Tool calls'), value: formatCount(toolCalls) },
    { name: message('Tokens in'), ...tokens(usage.promptTokens) },
    ...more(message('From cache'), usage.cachedTokens, usage.promptTokens),
    { name: message('Tokens out'), ...tokens(usage.completionTokens) },
    ...more(message('Reasoning'), usage.reasoningTokens),
  ];
  return [
    { name: message('Format'), value: formatLabel },
    { name: message('Interactions'), value: formatCount(length) },
    ...(responded.length === 0 ? [] : ofResponses),
    ...(durationMs === undefined ? [] : [{ name: message('Time'), value: formatDuration(durationMs) }]),
    ...costFact(cost, unpriced),
  ];
}

/** The total cost: unknown costs of models without a price do not count as zero. */
function costFact(cost: number | undefined, unpriced: number): readonly Fact[] {
  if (cost === undefined && unpriced === 0) return [];
  const notes = [
    ...(cost === undefined ? [] : [t('{0} at list prices of {1}', formatExactDollars(cost), PRICES_DATE)]),
    ...(unpriced === 0
      ? []
      : [counted(unpriced, 'no price is known for {0} response', 'no price is known for {0} responses')]),
  ];
  const value = cost === undefined ? '\u2013' : formatDollars(cost) + (unpriced === 0 ? '' : '+');
  return [{ name: message('Cost'), value, note: notes.join('; ') }];
}

/** The facts with their differences from the tape before it changed. */
function withDeltas(
  facts: readonly Fact[],
  { length, totals }: CountedTranscript,
  before: MeasureValues,
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

/** Whether a model responded. Plain HTTP uses no tokens, and a failed request reports none. */
function hasModelResponse({ kind, failed, entries }: InteractionSummary): boolean {
  const isCall = kind !== 'http' && kind !== 'mcp' && kind !== 'environment' && !failed;
  return isCall && entries.some(({ origin }) => origin === 'response');
}

/** A dash where no response reports its tokens; where only some do, the sum is a lower bound. */
function tokenValue(
  count: number,
  responses: number,
  withoutUsage: number,
  isPartial: boolean,
): Pick<Fact, 'value' | 'note'> {
  if (withoutUsage === responses) return { value: '\u2013', note: t('Not recorded') };
  if (withoutUsage > 0)
    return {
      value: `${formatCount(count)}+`,
      note: t('{0} of {1} responses do not report tokens', formatCount(withoutUsage), formatCount(responses)),
    };
  return { value: isPartial ? `${formatCount(count)}+` : formatCount(count) };
}

/** The numbers of a tape. */
export const TapeFacts = memo(({ transcript }: { readonly transcript: TranscriptOverview }): VNode => {
  const previous = useContext(PreviousTotalsContext);
  const { review } = useActions();
  const facts = tapeFacts(transcript);
  // While a tape is still being read, its sums cover its beginning only.
  const isComplete = transcript.interactions.length === transcript.length;
  const shown = previous !== undefined && isComplete ? withDeltas(facts, transcript, previous.totals) : facts;
  return (
    <dl class="facts">
      {shown.map(({ name, value, note, delta }) => (
        <div key={name} title={note}>
          <dt>{t(name)}</dt>
          <dd>
            {value}
            <Delta by={delta} />
            {note !== undefined && <span class="visually-hidden"> ({note})</span>}
          </dd>
        </div>
      ))}
      {previous !== undefined && (
        <div>
          <dt>{t('Changes')}</dt>
          <dd>
            <button type="button" class="link" onClick={() => review(undefined)}>
              {t('Review')}
            </button>
          </dd>
        </div>
      )}
    </dl>
  );
});
