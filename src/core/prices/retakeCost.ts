import type { Interaction } from '../tapes/tape';
import { costOf } from './cost';

/** What it takes to record the end of a tape again, going by what was recorded. */
export interface RetakeCost {
  readonly calls: number;
  /** US dollars; absent where a price or the tokens of a call are not known. */
  readonly dollars?: number;
}

/** The cost of recording again from an interaction, from 0, on; `model` is asked where the tape names none. */
export function retakeCost(interactions: readonly Interaction[], from: number, model?: string): RetakeCost {
  const calls = interactions.slice(from).filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  const costs = calls.map(({ request, response }) => {
    const { usage, model: answered } = response ?? {};
    return usage && costOf(usage, answered ?? request?.model ?? model);
  });
  const known = costs.filter((cost) => cost !== undefined);
  const dollars = known.reduce((sum, cost) => sum + cost, 0);
  return { calls: calls.length, ...(known.length === calls.length && calls.length > 0 && { dollars }) };
}

/** `16 live calls, about $0.03`. */
export function retakeCostText({ calls, dollars }: RetakeCost): string {
  const counted = `${calls} live call${calls === 1 ? '' : 's'}`;
  if (dollars === undefined) return counted;
  return `${counted}, about $${dollars < 0.01 ? dollars.toPrecision(1) : dollars.toFixed(2)}`;
}
