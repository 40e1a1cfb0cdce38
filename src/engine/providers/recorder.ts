import { editChatRequest, missingResult } from '../../core/forks/forkEdits';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import type { RequestEdits } from '../../core/wire/edit/editRequest';
import { ProviderError } from '../errors/runErrors';
import type { Hidden, RecordedCall } from '../recording/hidden';
import { hideError } from '../recording/hideError';
import type { Recorder } from '../recording/recorder';
import type { ResumeAt } from '../recording/writeTake';
import type { ChatProvider } from './chatProvider';
import type { ReplayProvider } from './replay';

/** A model whose responses and errors come without secrets: agent, tape and user get the same. */
export class HidingProvider implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #recorder: Recorder;

  constructor(provider: ChatProvider, recorder: Recorder) {
    this.#provider = provider;
    this.#recorder = recorder;
  }

  get label(): string {
    return this.#recorder.text(this.#provider.label);
  }

  get model(): string | undefined {
    return this.#provider.model;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    try {
      return this.#recorder.value(await this.#provider.chat(request, signal));
    } catch (error) {
      throw hideError(error, this.#recorder);
    }
  }
}

/** Passes requests on to a provider and keeps its responses in memory, without secrets; `replaceTape` writes them. */
export class RecordingProvider implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #recorder: Recorder;
  readonly #interactions: Hidden<RecordedCall>[] = [];

  constructor(provider: ChatProvider, recorder: Recorder) {
    this.#provider = new HidingProvider(provider, recorder);
    this.#recorder = recorder;
  }

  get label(): string {
    return this.#provider.label;
  }

  get model(): string | undefined {
    return this.#provider.model;
  }

  /** The requests with a response so far, without those that failed. */
  get interactions(): readonly Hidden<RecordedCall>[] {
    return this.#interactions;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const response = await this.#provider.chat(request, signal);
    this.#interactions.push(this.#recorder.call({ request, response }));
    return response;
  }
}

/** Replays the tape, and sends requests without a recording to the model, where the case allows it (`on_miss`). */
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
      if (!(error instanceof ProviderError) || error.details.miss === undefined) throw error;
    }
    const response = await this.#recorder.chat(request, signal);
    this.#replay.replaceLastVerdict(this.#verdict);
    return response;
  }
}

/** Changes requests before they are recorded and sent. The results that are edited must be in the first one. */
export class ForkedProvider implements ChatProvider {
  readonly #provider: ChatProvider;
  readonly #edits: RequestEdits;
  #isFirst = true;

  constructor(provider: ChatProvider, edits: RequestEdits) {
    this.#provider = provider;
    this.#edits = edits;
  }

  get label(): string {
    return this.#provider.label;
  }

  get model(): string | undefined {
    return this.#provider.model;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const sent = new Set(request.messages.map(({ toolCallId }) => toolCallId));
    const missing = Object.keys(this.#edits.toolResults ?? {}).find((call) => !sent.has(call));
    if (this.#isFirst && missing !== undefined)
      throw new ProviderError(
        'case',
        () => missingResult(missing)[0],
        () => missingResult(missing)[1],
      );
    this.#isFirst = false;
    return this.#provider.chat(editChatRequest(request, this.#edits), signal);
  }
}

/** Replays the tape up to a position, and sends all requests from there on to the model: a new end for an old take. */
export class ResumeProvider implements ChatProvider {
  readonly #replay: ReplayProvider;
  readonly #recorder: ChatProvider;
  readonly #at: ResumeAt;
  #replayed = 0;
  #isLive = false;

  constructor(replay: ReplayProvider, recorder: ChatProvider, at: ResumeAt) {
    this.#replay = replay;
    this.#recorder = recorder;
    this.#at = at;
  }

  get label(): string {
    return `${this.#replay.label}, then ${this.#recorder.label}`;
  }

  /** How many interactions were replayed, from the first one on. */
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
