import { omitUndefined } from '../json/fields';
import type { Interaction, Timing } from '../model/interaction';
import type { Tape } from '../model/tape';
import { addUsage, type Usage } from '../model/usage';
import { costOfCall } from '../prices/cost';
import type { PriceTable } from '../prices/priceTable';

/** The usage, timing and cost of an interaction, as far as they were recorded. */
export interface InteractionMetrics {
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
  readonly recordedAt?: string;
  readonly finishReason?: string;
  /** The recorded stream was cut off. */
  readonly endedEarly?: true;
  /** US dollars; absent if the tokens or the model's price are unknown. */
  readonly cost?: number;
  /** The number of chunks of a streamed response. */
  readonly chunks?: number;
}

export function interactionMetrics(interaction: Interaction, prices?: PriceTable): InteractionMetrics {
  const { response, timing } = interaction;
  const { usage, finishReason, endedEarly, chunks } = response ?? {};
  const known = { ...streamTiming(chunks), ...timing };
  const cost = costOfCall(interaction, prices);
  return omitUndefined({
    usage,
    durationMs: known.durationMs,
    firstTokenMs: known.firstTokenMs,
    recordedAt: known.recordedAt,
    finishReason,
    endedEarly,
    cost,
    chunks: chunks?.length,
  });
}

/** The duration of a stream, where the delays between its chunks were recorded. */
function streamTiming(chunks: readonly { readonly delayMs?: number }[] = []): Timing {
  const delays = chunks.flatMap(({ delayMs }) => delayMs ?? []);
  if (delays.length === 0) return {};
  return omitUndefined({ durationMs: delays.reduce((sum, delay) => sum + delay, 0), firstTokenMs: chunks[0]?.delayMs });
}

/** Sums over the interactions that have a value; absent if none has one. */
export interface TapeTotals {
  readonly interactions: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  /** Milliseconds of all responses together. */
  readonly durationMs?: number;
  /** US dollars. */
  readonly cost?: number;
  /** The number of responses with known tokens whose model has no price; `cost` does not include them. */
  readonly unpriced?: number;
}

export function tapeTotals(tape: Tape, prices?: PriceTable): TapeTotals {
  const counter = new TotalsCounter();
  for (const interaction of tape.interactions) counter.add(interaction, interactionMetrics(interaction, prices));
  return counter.totals;
}

/** Adds up totals while a tape is being read. */
export class TotalsCounter {
  #interactions = 0;
  #toolCalls = 0;
  #usage: Usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  #durationMs: number | undefined;
  #cost: number | undefined;
  #unpriced = 0;

  add({ response }: Pick<Interaction, 'response'>, { usage, durationMs, cost }: InteractionMetrics): void {
    this.#interactions += 1;
    this.#toolCalls += response?.toolCalls.length ?? 0;
    if (usage !== undefined) this.#usage = addUsage(this.#usage, usage);
    if (durationMs !== undefined) this.#durationMs = (this.#durationMs ?? 0) + durationMs;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    else if (usage !== undefined) this.#unpriced += 1;
  }

  get totals(): TapeTotals {
    return {
      interactions: this.#interactions,
      toolCalls: this.#toolCalls,
      usage: this.#usage,
      ...(this.#durationMs === undefined ? {} : { durationMs: this.#durationMs }),
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
      ...(this.#unpriced === 0 ? {} : { unpriced: this.#unpriced }),
    };
  }
}
