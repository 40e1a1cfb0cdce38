import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { type ChatProvider, ProviderError } from '../providers/chatProvider';
import type { ReplayProvider } from '../providers/replay';
import type { Recorder } from './recorder';

/** Answers from the tape, and asks the model what the tape has no answer to, because the case says so (`on_miss`). */
export class OnMissProvider implements ChatProvider {
  readonly #replay: ReplayProvider;
  readonly #recorder: Recorder;
  readonly #verdict: 'recorded' | 'passed';

  constructor(replay: ReplayProvider, recorder: Recorder, verdict: 'recorded' | 'passed') {
    this.#replay = replay;
    this.#recorder = recorder;
    this.#verdict = verdict;
  }

  get label(): string {
    return `${this.#replay.label}, else ${this.#recorder.label}`;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    try {
      return await this.#replay.chat(request, signal);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.miss === undefined) throw error;
    }
    const response = await this.#recorder.chat(request, signal);
    this.#replay.answeredLive(this.#verdict);
    return response;
  }
}
