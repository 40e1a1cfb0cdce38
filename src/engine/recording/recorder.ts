import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { mofaFormat } from '../../core/tapes/formats/mofa';
import type { ChatProvider } from '../providers/chatProvider';

/** An answered request. */
export interface Recorded {
  readonly request: ChatRequest;
  readonly response: ChatResponse;
}

/** Passes requests on to a provider and keeps what it answered. Nothing is written: see `replaceTape`. */
export class Recorder implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #interactions: Recorded[] = [];

  constructor(provider: ChatProvider) {
    this.#provider = provider;
  }

  get label(): string {
    return this.#provider.label;
  }

  /** The answered requests so far; a request that failed is not among them. */
  get interactions(): readonly Recorded[] {
    return this.#interactions;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const response = await this.#provider.chat(request, signal);
    this.#interactions.push({ request, response });
    return response;
  }

  /** The text of a MoFA tape, for the case of this name. */
  tapeText(caseName: string): string {
    return mofaFormat.serialise(caseName, this.#interactions);
  }
}
