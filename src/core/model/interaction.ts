import type { Span } from '../text/source';
import type { HttpExchange } from './http';
import type { ChatRequest, ChatResponse } from './message';

/** `http`: traffic that is no call of a model. `script`: a declared step that has no recorded answer. */
export type InteractionKind = 'llm' | 'embedding' | 'tool' | 'http' | 'environment' | 'frame' | 'script';

/** One recorded request with its response. Formats read what it says when it is first asked for: see `core/tapes/lazyTape.ts`. */
export interface Interaction {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly kind: InteractionKind;
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly timing?: Timing | undefined;
  /** What went over the wire, where the tape records HTTP. */
  readonly http?: HttpExchange | undefined;
  /** The wire protocol of the exchange, where it is known: see `core/wire`. */
  readonly api?: ProtocolId | undefined;
  /** A few words about what is no chat, such as "moderation, flagged". */
  readonly summary?: string | undefined;
  /** The format's own name for the interaction: a key, an id, a hash. Not always unique. */
  readonly id?: string | undefined;
  /** Where the interaction stands in the source text: 0 to 0 in a file that is no text, such as a zip. */
  readonly source: Span;
}

/** Milliseconds. */
export interface Timing {
  /** As the tape writes it. */
  readonly recordedAt?: string;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
}

/** The id of a wire protocol, such as `openai-chat`; `core/wire/registry.ts` lists them. A provider that uses another's protocol has that one's id. */
export type ProtocolId = string;

/** The part of an interaction that a recording makes. */
export type RecordedInteraction = Pick<Interaction, 'request' | 'response'> &
  Partial<Pick<Interaction, 'kind' | 'http' | 'timing'>>;
