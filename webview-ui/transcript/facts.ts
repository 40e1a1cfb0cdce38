import type { Usage } from '../../src/core/model/usage';
import { PRICES_DATE } from '../../src/core/prices/priceTable';
import type { MeasureValues as Earlier } from '../../src/core/review/measures';
import type { InteractionSummary } from '../../src/core/transcript/summary';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { countDelta, shareDelta } from './earlier/deltas';

/** One thing the header says about a tape. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** What the value leaves open. */
  readonly note?: string;
  /** Against the recording before, such as "+12". */
  readonly delta?: string;
}

type Counted = Pick<TranscriptOverview, 'formatLabel' | 'length' | 'interactions' | 'totals'>;

export function tapeFacts({ formatLabel, length, totals, interactions }: Counted): readonly Fact[] {
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
export function withDeltas(facts: readonly Fact[], { length, totals }: Counted, before: Earlier): readonly Fact[] {
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

/** The tokens of one response: "1,204 in, 87 out". */
export function usageText({ promptTokens, completionTokens }: Usage): string {
  return `${formatCount(promptTokens)} in, ${formatCount(completionTokens)} out`;
}

/** All that a response says of its tokens, for a tooltip. */
export function usageDetails({ totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): string {
  const more: readonly [number | undefined, string][] = [
    [totalTokens, 'tokens in all'],
    [cachedTokens, 'from the cache'],
    [cacheWriteTokens, 'written to the cache'],
    [reasoningTokens, 'for reasoning'],
  ];
  return more.flatMap(([count, what]) => (count ? `${formatCount(count)} ${what}` : [])).join(', ');
}

/** One for all: to make a formatter takes longer than to use it a hundred times. */
const COUNT = new Intl.NumberFormat('en-US');

export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** "0.8 s", "340 ms", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** "$0.0042": as many digits as it takes to see something. */
export function formatCost(cost: number): string {
  if (cost === 0) return '$0';
  const digits = cost >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(cost)));
  return `$${cost.toFixed(Math.max(2, digits))}`;
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
