import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { ProviderError } from '../errors/runErrors';
import type { RecordedCall, ResumeAt } from '../recording/writeTake';
import type { ChatProvider } from './chatProvider';
import type { ReplayProvider } from './replay';

/** Passes requests on to a provider and keeps what it answered. Nothing is written: see `replaceTape`. */
export class RecordingProvider implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #interactions: RecordedCall[] = [];

  constructor(provider: ChatProvider) {
    this.#provider = provider;
  }

  get label(): string {
    return this.#provider.label;
  }

  /** The answered requests so far; a request that failed is not among them. */
  get interactions(): readonly RecordedCall[] {
    return this.#interactions;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const response = await this.#provider.chat(request, signal);
    this.#interactions.push({ request, response });
    return response;
  }
}

/** Answers from the tape, and asks the model what the tape has no answer to, because the case says so (`on_miss`). */
export class OnMissProvider implements ChatProvider {
  readonly #replay: ReplayProvider;
  readonly #recorder: RecordingProvider;
  readonly #verdict: 'recorded' | 'passed';

  constructor(replay: ReplayProvider, recorder: RecordingProvider, verdict: 'recorded' | 'passed') {
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

/** Answers from the tape up to a place, and from there on asks the model: a new take behind the start of the old one. */
export class ResumeProvider implements ChatProvider {
  readonly #replay: ReplayProvider;
  readonly #recorder: RecordingProvider;
  readonly #at: ResumeAt;
  #replayed = 0;
  #isLive = false;

  constructor(replay: ReplayProvider, recorder: RecordingProvider, at: ResumeAt) {
    this.#replay = replay;
    this.#recorder = recorder;
    this.#at = at;
  }

  get label(): string {
    return `${this.#replay.label}, then ${this.#recorder.label}`;
  }

  /** How many interactions came from the tape: they are its first. */
  get replayed(): number {
    return this.#replayed;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    this.#isLive ||= this.#at === 'drift' ? !this.#replay.isNext(request) : this.#replayed >= this.#at;
    if (this.#isLive) return this.#recorder.chat(request, signal);
    const response = await this.#replay.chat(request, signal);
    this.#replayed += 1;
    return response;
  }
}
