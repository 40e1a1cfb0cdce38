import type { ChatRequest, ChatResponse, InteractionKind, Timing } from '../tapes/tape';
import type { WireApi } from './wireApi';

/** What an exchange is about: as much of an `Interaction` as the wire can tell. */
export interface WireReading {
  readonly kind: InteractionKind;
  /** Absent where the exchange is no call of a model. */
  readonly api?: WireApi;
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
  /** What the provider itself says about the time. */
  readonly timing?: Timing;
  /** A few words about what is no chat. */
  readonly summary?: string;
  /** What could not be read, as sentences. */
  readonly problems: readonly string[];
}
