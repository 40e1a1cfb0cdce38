import { mofaFormat } from '../../core/tapes/formats/mofa';
import type { ChatRequest, ChatResponse, Interaction } from '../../core/tapes/tape';
import type { ChatProvider } from '../providers/chatProvider';

/** Passes requests on to a provider and keeps what it answered. Nothing is written: see `replaceTape`. */
export class Recorder implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #interactions: Required<Pick<Interaction, 'request' | 'response'>>[] = [];

  constructor(provider: ChatProvider) {
    this.#provider = provider;
  }

  get label(): string {
    return this.#provider.label;
  }

  /** The answered requests so far; a request that failed is not among them. */
  get interactions(): readonly Required<Pick<Interaction, 'request' | 'response'>>[] {
    return this.#interactions;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const response = await this.#provider.chat(request, signal);
    this.#interactions.push({ request, response });
    return response;
  }

  /** The text of the tape, for the case of this name. */
  tapeText(caseName: string): string {
    return mofaFormat.serialise(caseName, this.#interactions);
  }
}
