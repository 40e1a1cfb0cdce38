import type { WireRequest } from '../../core/match/comparableRequest';
import type { RecordedInteraction } from '../../core/model/interaction';
import type { ChatRequest, ChatResponse } from '../../core/model/message';

declare const HIDDEN: unique symbol;

/** A value without secrets. Only the recorder makes one. */
export type Hidden<T> = T & { readonly [HIDDEN]: true };

/** An interaction as a tape may hold it. */
export type HiddenInteraction = Hidden<RecordedInteraction>;

/** A request of the built-in agent with its response. */
export interface RecordedCall {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
}

/** A request of an agent over HTTP, as it is compared and recorded. */
export interface HiddenRequest extends WireRequest {
  /** The body that was sent cannot be searched, so that a stand-in takes its place. */
  readonly isSealed: boolean;
  /** Something in it was hidden, or it was decompressed to be searched. */
  readonly isChanged: boolean;
}
