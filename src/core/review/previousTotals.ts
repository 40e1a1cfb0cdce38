import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import { interactionMetrics } from '../transcript/metrics';
import { alignWithinLimits } from './compare/compareTapes';
import type { Normaliser } from './compare/normaliser';
import type { MeasureValues } from './measures';
import { measureTape } from './tapeMeasures';

/** The measures of a tape and its interactions in an earlier recording. */
export interface PreviousTotals {
  readonly totals: MeasureValues;
  /** For each interaction of the later tape, the measures of its earlier version; null if it is new. */
  readonly interactions: readonly (MeasureValues | null)[];
}

/** Aligns interactions by their meaning, so that an added or removed one does not shift all later ones. */
export function previousTotals(before: Tape, after: Tape, normaliser: Normaliser, prices?: PriceTable): PreviousTotals {
  const { pairs } = alignWithinLimits(before.interactions, after.interactions, normaliser);
  const origins = new Map(pairs.map((pair) => [pair.afterIndex, pair.before]));
  return {
    totals: measureTape(before, prices),
    interactions: after.interactions.map(({ index }) => {
      const origin = origins.get(index);
      return origin === undefined ? null : measureInteraction(origin, prices);
    }),
  };
}

function measureInteraction(interaction: Interaction, prices: PriceTable | undefined): MeasureValues {
  const { usage, cost, durationMs } = interactionMetrics(interaction, prices);
  return {
    ...(usage && { 'tokens in': usage.promptTokens, 'tokens out': usage.completionTokens }),
    cost,
    latency: durationMs,
  };
}
