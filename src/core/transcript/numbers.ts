import { costOf } from '../prices/cost';
import type { PriceTable } from '../prices/priceTable';
import type { Interaction, Timing, Usage } from '../tapes/tape';
import { present } from '../wire/fields';

/** What an interaction took. What the tape does not say is absent. */
export interface InteractionNumbers {
  readonly usage?: Usage;
  /** Milliseconds. */
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
  readonly recordedAt?: string;
  readonly finishReason?: string;
  /** US dollars; absent where the tokens or the model's price are not known. */
  readonly cost?: number;
  /** The pieces of a streamed answer. */
  readonly chunks?: number;
}

export function numbersOf({ request, response, timing }: Interaction, prices?: PriceTable): InteractionNumbers {
  const { usage, finishReason, chunks } = response ?? {};
  const known = { ...streamTiming(chunks), ...timing };
  const cost = usage && (costOf(usage, response?.model, prices) ?? costOf(usage, request?.model, prices));
  return present({
    usage,
    durationMs: known.durationMs,
    firstTokenMs: known.firstTokenMs,
    recordedAt: known.recordedAt,
    finishReason,
    cost,
    chunks: chunks?.length,
  });
}

/** How long a stream took, where the pauses between its pieces were recorded. */
function streamTiming(chunks: readonly { readonly delayMs?: number }[] = []): Timing {
  const delays = chunks.flatMap(({ delayMs }) => delayMs ?? []);
  if (delays.length === 0) return {};
  return present({ durationMs: delays.reduce((sum, delay) => sum + delay, 0), firstTokenMs: chunks[0]?.delayMs });
}
