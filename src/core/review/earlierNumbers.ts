import type { PriceTable } from '../prices/priceTable';
import type { Interaction, Tape } from '../tapes/tape';
import { numbersOf } from '../transcript/numbers';
import { alignInteractions } from './compareTapes';
import type { Counted } from './measures';
import type { Normaliser } from './normaliser';
import { countTape } from './tapeMeasures';

/** What a tape and its interactions took in an earlier recording. */
export interface EarlierNumbers {
  readonly totals: Counted;
  /** For each interaction of the later tape those of the one that it was; null where it is new. */
  readonly interactions: readonly (Counted | null)[];
}

/** Finds the earlier interactions by their meaning, so that one more or less does not shift all later ones. */
export function earlierNumbers(before: Tape, after: Tape, normaliser: Normaliser, prices?: PriceTable): EarlierNumbers {
  const { pairs } = alignInteractions(before.interactions, after.interactions, normaliser);
  const origins = new Map(pairs.map((pair) => [pair.afterIndex, pair.before]));
  return {
    totals: countTape(before, prices),
    interactions: after.interactions.map(({ index }) => {
      const origin = origins.get(index);
      return origin === undefined ? null : countInteraction(origin, prices);
    }),
  };
}

function countInteraction(interaction: Interaction, prices: PriceTable | undefined): Counted {
  const { usage, cost, durationMs } = numbersOf(interaction, prices);
  return {
    ...(usage && { 'tokens in': usage.promptTokens, 'tokens out': usage.completionTokens }),
    ...(cost !== undefined && { cost }),
    ...(durationMs !== undefined && { latency: durationMs }),
  };
}
