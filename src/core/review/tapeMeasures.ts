import type { PriceTable } from '../prices/priceTable';
import type { Tape } from '../tapes/tape';
import { tapeTotals } from '../transcript/totals';
import { type Counted, type Measure, sideBySide } from './measures';

/** What two tapes come to; a tape that is on one side only has numbers on that side only. */
export function tapeMeasures(
  before: Tape | undefined,
  after: Tape | undefined,
  prices?: PriceTable,
): readonly Measure[] {
  return sideBySide(before && countTape(before, prices), after && countTape(after, prices));
}

export function countTape(tape: Tape, prices: PriceTable | undefined): Counted {
  const { interactions, toolCalls, usage, durationMs, cost } = tapeTotals(tape, prices);
  return {
    interactions,
    'tool calls': toolCalls,
    ...(usage.promptTokens > 0 && { 'tokens in': usage.promptTokens }),
    ...(usage.completionTokens > 0 && { 'tokens out': usage.completionTokens }),
    ...(cost !== undefined && { cost }),
    ...(durationMs !== undefined && { latency: durationMs }),
  };
}
