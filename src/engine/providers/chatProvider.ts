import type { ChatRequest, ChatResponse } from '../../core/model/message';
import type { FailureKind, ReplayMiss } from '../../core/model/run';
import type { RequestTexts } from './requestTexts';

/** Where the agent's answers come from: a script, a tape, a model over HTTP, or the practice model. */
export interface ChatProvider {
  /** As users know it, such as "open_ai_compatible https://api.example.com/v1". */
  readonly label: string;
  /** The model that is asked, where there is one. */
  readonly model?: string;
  /** Answers one request. Rejects with a `ProviderError`, or with the signal's reason when aborted. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}

/** A provider had no answer. The message says what happened, `fix` what to do. */
export class ProviderError extends Error {
  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'replay' | 'provider' | 'unreachable'>,
    message: string,
    readonly fix: string,
    /** Of a request that has no recording: what can be done about it. */
    readonly miss?: ReplayMiss,
    /** What was recorded and what was asked, where there are two requests to compare. */
    readonly requests?: RequestTexts,
  ) {
    super(message);
    this.name = 'ProviderError';
  }
}
