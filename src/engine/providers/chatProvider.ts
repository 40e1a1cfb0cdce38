import type { FailureKind } from '../../core/runs/run';
import type { ChatRequest, ChatResponse } from '../../core/tapes/tape';

/** Where the agent's answers come from: a script, a tape, a model over HTTP, or the practice model. */
export interface ChatProvider {
  /** As users know it, such as "open_ai_compatible https://api.example.com/v1". */
  readonly label: string;
  /** Answers one request. Rejects with a `ProviderError`, or with the signal's reason when aborted. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}

/** A provider had no answer. The message says what happened, `fix` what to do. */
export class ProviderError extends Error {
  constructor(
    readonly kind: Extract<FailureKind, 'case' | 'replay' | 'provider' | 'unreachable'>,
    message: string,
    readonly fix: string,
  ) {
    super(message);
    this.name = 'ProviderError';
  }
}
