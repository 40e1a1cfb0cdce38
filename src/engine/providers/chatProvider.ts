import type { ChatRequest, ChatResponse } from '../../core/model/message';

/** The source of responses for an agent: a script, a tape, a model over HTTP, or the practice model. */
export interface ChatProvider {
  /** For users, such as "open_ai_compatible https://api.example.com/v1". */
  readonly label: string;
  /** The model, where there is one. */
  readonly model?: string | undefined;
  /** The response to one request. Rejects with a `ProviderError`, or with the signal's reason when aborted. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}
