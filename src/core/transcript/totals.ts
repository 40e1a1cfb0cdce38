import type { PriceTable } from '../prices/priceTable';
import type { Interaction, Tape, Usage } from '../tapes/tape';
import { type InteractionNumbers, numbersOf } from './numbers';

/** Sums over a tape. What no interaction says is absent; what only some say is the sum of those. */
export interface TapeTotals {
  readonly interactions: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  /** Milliseconds of all answers together. */
  readonly durationMs?: number;
  /** US dollars. */
  readonly cost?: number;
  /** The answers whose tokens are known and whose model has no price: `cost` is without them. */
  readonly unpriced?: number;
}

export function tapeTotals(tape: Tape, prices?: PriceTable): TapeTotals {
  const counter = new TotalsCounter();
  for (const interaction of tape.interactions) counter.add(interaction, numbersOf(interaction, prices));
  return counter.totals;
}

/** Adds up while a tape is being read. */
export class TotalsCounter {
  #interactions = 0;
  #toolCalls = 0;
  readonly #usage = new Map<keyof Usage, number>();
  #durationMs: number | undefined;
  #cost: number | undefined;
  #unpriced = 0;

  add({ response }: Pick<Interaction, 'response'>, { usage, durationMs, cost }: InteractionNumbers): void {
    this.#interactions += 1;
    this.#toolCalls += response?.toolCalls.length ?? 0;
    for (const name of USAGE) {
      const count = usage?.[name];
      if (count !== undefined) this.#usage.set(name, (this.#usage.get(name) ?? 0) + count);
    }
    if (durationMs !== undefined) this.#durationMs = (this.#durationMs ?? 0) + durationMs;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    else if (usage !== undefined) this.#unpriced += 1;
  }

  get totals(): TapeTotals {
    const { promptTokens = 0, completionTokens = 0, totalTokens = 0, ...others } = Object.fromEntries(this.#usage);
    return {
      interactions: this.#interactions,
      toolCalls: this.#toolCalls,
      usage: { promptTokens, completionTokens, totalTokens, ...others },
      ...(this.#durationMs === undefined ? {} : { durationMs: this.#durationMs }),
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
      ...(this.#unpriced === 0 ? {} : { unpriced: this.#unpriced }),
    };
  }
}

const USAGE = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;
