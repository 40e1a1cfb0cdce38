import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import { tapeTotals } from '../transcript/metrics';
import { type Measure, type MeasureValues, pairMeasures } from './measures';

/** The measures of two tapes, of which one may be missing. */
export function tapeMeasures(
  before: Tape | undefined,
  after: Tape | undefined,
  prices?: PriceTable,
): readonly Measure[] {
  return pairMeasures(before && measureTape(before, prices), after && measureTape(after, prices));
}

export function measureTape(tape: Tape, prices: PriceTable | undefined): MeasureValues {
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
