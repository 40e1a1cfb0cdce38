import type { ChatRequest, ChatResponse } from '../../core/model/message';

/** Where the agent's answers come from: a script, a tape, a model over HTTP, or the practice model. */
export interface ChatProvider {
  /** As users know it, such as "open_ai_compatible https://api.example.com/v1". */
  readonly label: string;
  /** The model that is asked, where there is one. */
  readonly model?: string;
  /** Answers one request. Rejects with a `ProviderError`, or with the signal's reason when aborted. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}
